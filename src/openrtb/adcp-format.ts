/** Equality of ad formats: the same canonical agent URL and the same id. */
import type { AdcpFormat } from './bid-request.ts';
import { memoize } from '../cache/memoize.ts';

/** Equal for equal formats. */
export const formatKey = ({ agent_url, id }: AdcpFormat): string => `${canonicalAgent(agent_url)} ${id}`;

/** `new URL` lowers the case of scheme and host, drops the default port and resolves dots. There are few agents. */
const canonicalAgent = memoize({ maxEntries: 1_000, maxKeyLength: 500 }, (agentUrl) => {
  const url = new URL(agentUrl);
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href;
});
