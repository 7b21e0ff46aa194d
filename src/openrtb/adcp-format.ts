/** When two ad formats are the same: by the canonical form of the agent's address, and the exact id. */
import type { AdcpFormat } from './bid-request.ts';

/** Equal for equal formats. WHATWG's URL already lowers scheme and host, drops the default port and resolves dots. */
export function formatKey({ agent_url, id }: AdcpFormat): string {
  const url = new URL(agent_url);
  url.hash = '';
  url.username = '';
  url.password = '';
  return `${url.href} ${id}`;
}
