/** Who is asking, as the limits see it: the address after trusted proxies, IPv6 by its /56. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';
import proxyAddr from 'proxy-addr';

/** Bounded, and emptied when full: reading an address takes tens of microseconds, most come back soon. */
const mostCached = 10_000;
/** A header that names more proxies than anyone has is read every time. */
const longestCached = 200;

export type ReadAddress = (request: IncomingMessage) => string;

/** `isTrusted` as Express compiles it out of its setting. */
export function createReadAddress(isTrusted: (address: string, distance: number) => boolean): ReadAddress {
  const known = new Map<string, string>();
  return (request) => {
    const remote = request.socket.remoteAddress;
    const forwarded = request.headers['x-forwarded-for'];
    if (forwarded === undefined) return addressKey(remote);
    const way = `${remote} ${String(forwarded)}`;
    const cached = known.get(way);
    if (cached !== undefined) return cached;
    const address = proxyAddr(request, isTrusted);
    // What a trusted proxy passed on may be no address at all; then the proxy is the client.
    const key = addressKey(isIP(address) === 0 ? remote : address);
    if (way.length <= longestCached) remember(known, way, key);
    return key;
  };
}

const keys = new Map<string, string>();

/** One key for all that counts as one client: mapped IPv4 as IPv4, IPv6 by its /56. */
export function addressKey(address = '0.0.0.0'): string {
  const known = keys.get(address);
  if (known !== undefined) return known;
  const key = ipKeyGenerator(address);
  remember(keys, address, key);
  return key;
}

function remember(cache: Map<string, string>, from: string, key: string): void {
  if (cache.size >= mostCached) cache.clear();
  cache.set(from, key);
}
