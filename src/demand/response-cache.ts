/** Answers kept for a short while, and equal calls under way made once. Only for calls without a body. */
import type { HttpCall } from './adapter.ts';
import type { Answered, CallPartner } from './call-partner.ts';

/** A call that several auctions wait for. */
interface Shared {
  waiting: Set<Answered>;
  abort: () => void;
  startedAtMs: number;
  /** How it ended, where that was at once. */
  ended?: Parameters<Answered>;
}

/** A call that has taken this long may hang: whoever comes now makes one of their own. */
const joinableMs = 100;

export interface CacheSettings {
  cacheMs: number;
  cacheSize: number;
}

export function withCache(ask: CallPartner, { cacheMs, cacheSize }: CacheSettings, nowMs: () => number): CallPartner {
  if (cacheMs === 0 || cacheSize === 0) return ask;
  const kept = new Map<string, { body: unknown; untilMs: number }>();
  const underWay = new Map<string, Shared>();

  const keep = (url: string, body: unknown) => {
    kept.delete(url);
    for (const [old, { untilMs }] of kept) {
      if (untilMs > nowMs()) break; // the oldest stand first
      kept.delete(old);
    }
    if (kept.size >= cacheSize) kept.delete(kept.keys().next().value!);
    kept.set(url, { body, untilMs: nowMs() + cacheMs });
  };

  const start = (call: HttpCall, isTest: boolean): Shared => {
    const shared: Shared = { waiting: new Set(), abort: () => {}, startedAtMs: nowMs() };
    underWay.set(call.url, shared);
    shared.abort = ask(
      call,
      (ending, body) => {
        if (underWay.get(call.url) === shared) underWay.delete(call.url);
        if (ending === 'bid') keep(call.url, body);
        shared.ended = [ending, body];
        for (const answered of shared.waiting) answered(ending, body);
      },
      isTest,
    );
    return shared;
  };

  return (call, answered, isTest) => {
    const known = kept.get(call.url);
    if (known && nowMs() < known.untilMs) {
      answered('bid', known.body);
      return () => {};
    }
    const open = underWay.get(call.url);
    const shared = open && nowMs() - open.startedAtMs < joinableMs ? open : start(call, isTest);
    if (shared.ended) {
      answered(...shared.ended);
      return () => {};
    }
    shared.waiting.add(answered);
    return () => {
      shared.waiting.delete(answered);
      if (shared.waiting.size === 0) shared.abort(); // nobody waits any more
    };
  };
}
