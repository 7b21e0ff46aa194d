/** The real limiter with buckets in this process, as the primary keeps them. */
import { clocks } from '../../src/limits/clocks.ts';
import type { Limits } from '../../src/limits/limiter.ts';
import { BucketKeeper, PrimaryBuckets } from '../../src/limits/primary-buckets.ts';
import { SharedLimiter } from '../../src/limits/shared-limiter.ts';

export function localLimiter(limits: Limits): SharedLimiter {
  const keeper = new BucketKeeper(limits, clocks.nowMicros);
  const buckets: PrimaryBuckets = new PrimaryBuckets((question) =>
    queueMicrotask(() => buckets.receive(keeper.answer(question))),
  );
  return new SharedLimiter({
    buckets,
    mode: 'embedded',
    limits,
    workers: 1,
    clocks,
    onMode: () => {},
    onCall: () => {},
  });
}
