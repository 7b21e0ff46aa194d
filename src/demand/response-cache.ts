/** Caches partner responses for a short time and shares equal calls in flight. For calls whose response depends on the call alone. */
import { LRUCache } from 'lru-cache';
import { TransientMap } from '../memory/transient-map.ts';
import { largeBytes } from '../pacing/pacer.ts';
import type { BidderCall } from './adapter.ts';
import type { CallPartner, PartnerResponse } from './call-partner.ts';
import { Cancellation } from './cancellation.ts';

export interface CacheSettings {
  cacheMs: number;
  cacheSize: number;
}

/** A call that several auctions wait for. */
interface SharedCall {
  response: Promise<PartnerResponse>;
  cancellation: Cancellation;
  waiters: number;
  startedAtMs: number;
}

/** A call in flight for longer than this may hang: it is not joined. */
const joinableMs = 100;
/** Per partner and worker: the memory of keys and parsed bodies, estimated. */
const maxCachedBytes = 32 * 1024 * 1024;
/** What a value of a parsed body takes besides its text: `[]` has two bytes of text and many more in memory. */
const bytesPerValue = 64;
/** A large response is cached only if an equal call had one within this time: most are never wanted again, and what stays is costly to collect (decision 36). */
const repeatedWithinMs = 10_000;
/** With the longest call it bounds the memory of their keys, whatever `cacheSize` is. */
const maxLargeCalls = 1_000;
/** In UTF-16 units. A call with a longer URL and body is not cached. */
const maxCallLength = 4_096;

export function withResponseCache(
  callPartner: CallPartner,
  { cacheMs, cacheSize }: CacheSettings,
  nowMs: () => number,
): CallPartner {
  if (cacheMs === 0 || cacheSize === 0) return callPartner;
  const cache = new Responses(cacheMs, cacheSize, nowMs);
  const inFlight = new TransientMap<string, SharedCall>();

  const start = (key: string, call: BidderCall, isTest: boolean): SharedCall => {
    const cancellation = new Cancellation();
    const forget = () => {
      if (inFlight.get(key)?.cancellation === cancellation) inFlight.delete(key);
    };
    const request = async (): Promise<PartnerResponse> => {
      try {
        const response = await callPartner(call, cancellation, isTest);
        if (response.result === 'bid') cache.set(key, response);
        return response;
      } finally {
        forget();
      }
    };
    const shared: SharedCall = { response: request(), cancellation, waiters: 0, startedAtMs: nowMs() };
    inFlight.set(key, shared);
    cancellation.onCancel(forget);
    return shared;
  };

  return async (call, cancellation, isTest) => {
    if (call.url.length + (call.body?.length ?? 0) > maxCallLength) return callPartner(call, cancellation, isTest);
    const key = keyOf(call, isTest);
    const cached = cache.get(key);
    if (cached) return cached;
    const open = inFlight.get(key);
    const shared = open && nowMs() - open.startedAtMs < joinableMs ? open : start(key, call, isTest);
    return join(shared, cancellation);
  };
}

/** Bounded in time, number and memory. */
class Responses {
  readonly #cacheMs: number;
  readonly #nowMs: () => number;
  readonly #cache: LRUCache<string, PartnerResponse>;
  /** The calls that had large responses. */
  readonly #large: LRUCache<string, true>;
  #nextPurgeAtMs = 0;

  constructor(cacheMs: number, cacheSize: number, nowMs: () => number) {
    this.#cacheMs = cacheMs;
    this.#nowMs = nowMs;
    const clock = { ttlResolution: 0, perf: { now: nowMs } };
    this.#cache = new LRUCache({
      max: cacheSize,
      maxSize: maxCachedBytes,
      sizeCalculation: ({ bytes = 0, body }, key) => key.length + bytes + countValues(body) * bytesPerValue,
      ttl: cacheMs,
      ...clock,
    });
    this.#large = new LRUCache({ max: maxLargeCalls, ttl: repeatedWithinMs, ...clock });
  }

  get(key: string): PartnerResponse | undefined {
    return this.#cache.get(key);
  }

  set(key: string, response: PartnerResponse): void {
    this.#purge();
    if (this.#isWorthKeeping(key, response)) this.#cache.set(key, response);
  }

  #isWorthKeeping(key: string, { bytes = 0 }: PartnerResponse): boolean {
    if (bytes <= largeBytes) return true;
    const isRepeated = this.#large.has(key);
    this.#large.set(key, true);
    return isRepeated;
  }

  /** A response that stays until others take its place reaches V8's old generation, where its memory costs far more to collect. */
  #purge(): void {
    const now = this.#nowMs();
    if (now < this.#nextPurgeAtMs) return;
    this.#nextPurgeAtMs = now + this.#cacheMs;
    this.#cache.purgeStale();
  }
}

/** A call that may receive less, or that is made for a test, is another one. */
const keyOf = ({ method, url, headers, body, maxBytes }: BidderCall, isTest: boolean): string =>
  JSON.stringify([method, url, headers, body, maxBytes, isTest]);

/** Recursive: the depth of a body is bounded. */
function countValues(value: unknown): number {
  let count = 1;
  if (typeof value === 'object' && value !== null) {
    for (const member of Array.isArray(value) ? (value as unknown[]) : Object.values(value))
      count += countValues(member);
  }
  return count;
}

/** The shared call is cancelled when no auction waits for it any more. */
function join(shared: SharedCall, cancellation: Cancellation): Promise<PartnerResponse> {
  shared.waiters++;
  const cancelled = new Promise<PartnerResponse>((resolve) => {
    cancellation.onCancel((reason) => {
      shared.waiters--;
      if (shared.waiters === 0) shared.cancellation.cancel(reason);
      resolve({ result: reason });
    });
  });
  return Promise.race([shared.response, cancelled]);
}
