/** The client address that rate limits count: after trusted proxies, IPv6 grouped by /56. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Express } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';
import proxyAddr from 'proxy-addr';

const maxCachedAddresses = 10_000;
const maxCachedProxies = 1_000;
/** A longer header names several proxies, and is parsed every time. */
const maxCachedLength = 64;
/** Proxies append to the header, so only its end can come from a trusted one. Each address takes up to 5 µs. */
const maxForwardedLength = 1_000;

export type ReadAddress = (request: IncomingMessage) => string;

/** Whether an address is one of a trusted proxy; `distance` is its number of hops from this server. */
export type IsTrusted = (address: string, distance: number) => boolean;

/** What Express compiles from its setting `trust proxy`. */
export const isTrustedBy = (app: Express): IsTrusted => app.get('trust proxy fn') as IsTrusted;

/** Parsing costs tens of microseconds, so it is cached. */
export function createReadAddress(isTrusted: IsTrusted, toKey: (address: string) => string = addressKey): ReadAddress {
  /** By the header that a trusted proxy sent: the result does not depend on which of them it was. */
  const clients = new LRUCache<string, string>({ max: maxCachedAddresses });
  const proxies = new LRUCache<string, boolean>({ max: maxCachedProxies });
  const isProxy = (remote: string): boolean => {
    let known = proxies.get(remote);
    if (known === undefined) proxies.set(remote, (known = isTrusted(remote, 0)));
    return known;
  };
  return (request) => {
    const remote = request.socket.remoteAddress ?? '';
    const forwarded = request.headers['x-forwarded-for'] as string | undefined;
    if (forwarded === undefined || !isProxy(remote)) return toKey(remote);
    const cached = clients.get(forwarded);
    if (cached !== undefined) return cached;
    // A copy: V8 would keep the whole header in memory for a part of it that is a key.
    const address = Buffer.from(proxyAddr(withLatest(request, forwarded), isTrusted), 'latin1').toString('latin1');
    // A trusted proxy may forward something that is not an address; then the proxy counts as the client.
    if (isIP(address) === 0) return toKey(remote);
    const key = toKey(address);
    // An empty header names nobody, so that the proxy is the client.
    if (forwarded.length <= maxCachedLength && address !== remote) clients.set(forwarded, key);
    return key;
  };
}

/** The request with the last part of its X-Forwarded-For, without an address that is cut in two. */
function withLatest(request: IncomingMessage, forwarded: string): IncomingMessage {
  if (forwarded.length <= maxForwardedLength) return request;
  const latest = forwarded.slice(-maxForwardedLength);
  const headers = { 'x-forwarded-for': latest.slice(latest.indexOf(',') + 1) };
  return { socket: request.socket, headers } as unknown as IncomingMessage;
}

const keys = new LRUCache<string, string>({ max: maxCachedAddresses });

/** Equal for addresses that count as one client: IPv4 mapped into IPv6 counts as IPv4, IPv6 by its /56. */
export function addressKey(given: string | undefined): string {
  const address = given || '0.0.0.0'; // a closed socket has no address
  const cached = keys.get(address);
  if (cached !== undefined) return cached;
  const key = ipKeyGenerator(address);
  if (address.length <= maxCachedLength) keys.set(address, key);
  return key;
}
