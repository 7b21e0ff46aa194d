/** Who is asking, as the limits see it: the address after trusted proxies, IPv6 by its /56. */
import { isIP } from 'node:net';
import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';

/** Bounded, and emptied when full: reading an address takes tens of microseconds, most come back soon. */
const mostCached = 10_000;
const cache = new Map<string, string>();

export function clientAddress(request: Request): string {
  const address = request.ip ?? '';
  // What a trusted proxy passed on may be no address at all; then the proxy is the client.
  return addressKey(isIP(address) === 0 ? request.socket.remoteAddress : address);
}

/** One key for all that counts as one client: mapped IPv4 as IPv4, IPv6 by its /56. */
export function addressKey(address = '0.0.0.0'): string {
  const known = cache.get(address);
  if (known !== undefined) return known;
  const key = ipKeyGenerator(address);
  if (cache.size >= mostCached) cache.clear();
  cache.set(address, key);
  return key;
}
