/** The rate limiter of the warm-up: a worker's own, with buckets that no caller shares and no limit that matters. */
import { clocks } from '../limits/clocks.ts';
import { EmbeddedBucketClient } from '../limits/embedded-buckets.ts';
import { GcraEngine } from '../limits/gcra.ts';
import { SharedRateLimiter } from '../limits/shared-rate-limiter.ts';

const limits = { ip: 1_000_000, publisher: 1_000_000, global: 1_000_000 };

export function createWarmLimiter(): SharedRateLimiter {
  const engine = new GcraEngine();
  const buckets: EmbeddedBucketClient = new EmbeddedBucketClient(({ id, batch }) => {
    const decided = engine.decideAll(batch, clocks.nowMicros());
    queueMicrotask(() => buckets.receive({ kind: 'bucket-response', id, ...decided }));
  });
  const parts = { mode: 'embedded', workers: 1, onMode: () => {}, onCall: () => {} } as const;
  return new SharedRateLimiter({ ...parts, buckets, limits, clocks });
}
