/** Who is asking, as the limits see it: the address after trusted proxies, IPv6 by its /56. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';
import proxyAddr from 'proxy-addr';

/** Bounded, and emptied when full: reading an address takes tens of microseconds, most come back soon. */
const mostCached = 10_000;
const mostProxies = 20;
/** A header that names several proxies is read every time, and so is what is no plain address. */
const longestCached = 64;

export type ReadAddress = (request: IncomingMessage) => string;

/** `isTrusted` as Express compiles it out of its setting. */
export function createReadAddress(isTrusted: (address: string, distance: number) => boolean): ReadAddress {
  /** By the trusted proxy, then by what it passed on. */
  const byProxy = new Map<string, Map<string, string>>();
  const passedOnBy = (remote: string): Map<string, string> | undefined => {
    let known = byProxy.get(remote);
    if (!known && isTrusted(remote, 0)) remember(byProxy, mostProxies, remote, (known = new Map<string, string>()));
    return known;
  };
  return (request) => {
    const remote = request.socket.remoteAddress ?? '';
    const forwarded = request.headers['x-forwarded-for'] as string | undefined;
    const known = forwarded === undefined ? undefined : passedOnBy(remote);
    if (forwarded === undefined || !known) return addressKey(remote);
    const cached = known.get(forwarded);
    if (cached !== undefined) return cached;
    const address = proxyAddr(request, isTrusted);
    // What a trusted proxy passed on may be no address at all; then the proxy is the client.
    const key = addressKey(isIP(address) === 0 ? remote : address);
    if (forwarded.length <= longestCached) remember(known, mostCached, forwarded, key);
    return key;
  };
}

const keys = new Map<string, string>();

/** One key for all that counts as one client: mapped IPv4 as IPv4, IPv6 by its /56. */
export function addressKey(given: string | undefined): string {
  const address = given || '0.0.0.0'; // a socket that is gone has none
  const known = keys.get(address);
  if (known !== undefined) return known;
  const key = ipKeyGenerator(address);
  if (address.length <= longestCached) remember(keys, mostCached, address, key);
  return key;
}

function remember<T>(cache: Map<string, T>, most: number, from: string, value: T): void {
  if (cache.size >= most) cache.clear();
  cache.set(from, value);
}
