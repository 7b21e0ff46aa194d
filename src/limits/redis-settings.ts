/** Where Redis is and how to connect to it: one server, a master behind sentinels, or a cluster. */

export interface RedisNode {
  host: string;
  port: number;
}

/** Plain data: the primary sends it to its workers. */
export interface RedisSettings {
  topology: 'single' | 'sentinel' | 'cluster';
  /** The server, the sentinels, or some nodes of the cluster. */
  nodes: readonly RedisNode[];
  /** The name under which the sentinels monitor the master; only with sentinels. */
  master?: string;
  /** Credentials of the Redis servers. */
  username?: string;
  password?: string;
  /** Password of the sentinels. */
  sentinelPassword?: string;
  database?: number;
  /** Only for a cluster: the number of slots over which address buckets are spread. It determines where a bucket is. */
  addressSlots?: number;
  /** Undefined: no TLS. `ca` is in PEM format; without it the authorities that Node.js knows apply. */
  tls?: { ca?: string };
}

/** More slots serve more masters; fewer make a call carry more requests. */
export const addressSlotCounts = [1, 2, 4, 8, 16, 32, 64, 128];
export const defaultAddressSlots = 16;

/** Scheme, user and password, hosts, path. */
const urlPattern = /^(rediss?(?:\+sentinel)?):\/\/(?:([^/]*)@)?([^/@?#]+)(\/[^?#]*)?$/i;
const nodePattern = /^(?:\[([\da-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i;

const defaultPort = 6379;
const defaultSentinelPort = 26379;

/**
 * Parses `redis://[user:password@]host[:port][/database]` and
 * `redis+sentinel://[user:password@]host[:port],…/master[/database]`, or `rediss` for TLS. Undefined if it is neither.
 */
export function parseRedisUrl(url: string): RedisSettings | undefined {
  const [, scheme, userInfo, hosts, path = ''] = urlPattern.exec(url) ?? [];
  const isSentinel = scheme?.toLowerCase().endsWith('+sentinel') ?? false;
  const nodes = parseNodes(hosts, isSentinel ? defaultSentinelPort : defaultPort);
  const credentials = parseCredentials(userInfo);
  const segments = path.split('/').slice(1);
  const master = isSentinel ? decode(segments.shift() ?? '') : undefined;
  const database = segments[0] ?? '';
  if (!nodes || !credentials || segments.length > 1 || !/^\d{0,5}$/.test(database)) return undefined;
  if (isSentinel ? !master : nodes.length > 1) return undefined;
  return {
    topology: isSentinel ? 'sentinel' : 'single',
    nodes,
    ...(master && { master }),
    ...credentials,
    ...(database !== '' && { database: Number(database) }),
    ...tlsOf(scheme),
  };
}

/** Parses `host[:port],…`, optionally after `redis://` or `rediss://` and `user:password@`. Undefined if it is not such a list. */
export function parseRedisNodes(list: string, topology: 'sentinel' | 'cluster'): RedisSettings | undefined {
  const [, scheme, userInfo, hosts, path] = urlPattern.exec(list.includes('://') ? list : `redis://${list}`) ?? [];
  const nodes = parseNodes(hosts, topology === 'sentinel' ? defaultSentinelPort : defaultPort);
  const credentials = parseCredentials(userInfo);
  if (!nodes || !credentials || path !== undefined || scheme!.includes('+')) return undefined;
  return { topology, nodes, ...credentials, ...tlsOf(scheme) };
}

const tlsOf = (scheme: string | undefined): Pick<RedisSettings, 'tls'> =>
  /^rediss/i.test(scheme ?? '') ? { tls: {} } : {};

function parseNodes(hosts: string | undefined, port: number): RedisNode[] | undefined {
  const nodes = (hosts ?? '').split(',').map((host) => parseNode(host.trim(), port));
  return nodes.every((node) => node !== undefined) ? nodes : undefined;
}

function parseNode(text: string, defaultTo: number): RedisNode | undefined {
  const [, ipv6, name, port] = nodePattern.exec(text) ?? [];
  const host = ipv6 ?? name;
  const number = port === undefined ? defaultTo : Number(port);
  return host !== undefined && number >= 1 && number <= 65_535 ? { host, port: number } : undefined;
}

/** A user without a password is not usable; a password without a user belongs to the default user. */
function parseCredentials(userInfo: string | undefined): Pick<RedisSettings, 'username' | 'password'> | undefined {
  if (userInfo === undefined) return {};
  const colon = userInfo.indexOf(':');
  const username = decode(userInfo.slice(0, Math.max(colon, 0)));
  const password = decode(userInfo.slice(colon + 1));
  if (colon < 0 || username === undefined || !password) return undefined;
  return { ...(username !== '' && { username }), password };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
