/** The real limiter with buckets in this process, as the primary keeps them. */
import { clocks } from '../../src/limits/clocks.ts';
import type { Limits } from '../../src/limits/rate-limiter.ts';
import { EmbeddedBucketServer, EmbeddedBucketClient } from '../../src/limits/embedded-buckets.ts';
import { SharedRateLimiter } from '../../src/limits/shared-rate-limiter.ts';

export function localLimiter(limits: Limits): SharedRateLimiter {
  const keeper = new EmbeddedBucketServer(limits, clocks.nowMicros);
  const buckets: EmbeddedBucketClient = new EmbeddedBucketClient((question) =>
    queueMicrotask(() => buckets.receive(keeper.answer(question))),
  );
  return new SharedRateLimiter({
    buckets,
    mode: 'embedded',
    limits,
    workers: 1,
    clocks,
    onMode: () => {},
    onCall: () => {},
  });
}
