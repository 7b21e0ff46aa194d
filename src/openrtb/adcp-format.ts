/** When two ad formats are the same: by the canonical form of the agent's address, and the exact id. */
import type { AdcpFormat } from './bid-request.ts';
import { memoize } from '../cache/memoize.ts';

/** Equal for equal formats. */
export const formatKey = ({ agent_url, id }: AdcpFormat): string => `${canonicalAgent(agent_url)} ${id}`;

/** WHATWG's URL already lowers scheme and host, drops the default port and resolves dots. There are few agents. */
const canonicalAgent = memoize({ maxEntries: 1_000, maxKeyLength: 500 }, (address) => {
  const url = new URL(address);
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href;
});
