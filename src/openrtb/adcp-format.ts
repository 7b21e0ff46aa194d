/** Equality of ad formats: the same canonical agent URL and the same id. */
import { domainToUnicode } from 'node:url';
import { readAgentUrl } from './agent-url.ts';
import type { AdcpFormat } from './bid-request.ts';

/** Equal for equal formats. The format must be valid. */
export function formatKey({ agent_url, id }: AdcpFormat): string {
  const url = readAgentUrl(agent_url);
  return `${'canonical' in url ? url.canonical : agent_url} ${id}`;
}

/**
 * The key of a format, and its key with an international host in Unicode if the URL has it in punycode. Requests may
 * spell the host either way; mapping theirs would take too long, so the few formats of campaigns have both keys.
 */
export function formatKeys(format: AdcpFormat): string[] {
  const key = formatKey(format);
  const { hostname } = new URL(format.agent_url);
  return [...new Set([key, key.replace(hostname, domainToUnicode(hostname))])];
}
