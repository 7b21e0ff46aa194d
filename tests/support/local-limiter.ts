/** The real rate limiter of a worker, with the primary's buckets in the same process. */
import { clocks, epochMicros, type LimitClocks } from '../../src/limits/clocks.ts';
import { EmbeddedBucketClient, EmbeddedBucketServer } from '../../src/limits/embedded-buckets.ts';
import type { Limits } from '../../src/limits/rate-limiter.ts';
import { SharedRateLimiter } from '../../src/limits/shared-rate-limiter.ts';

/** No bucket gets a token back, however slow the machine is. */
export function stoppedClocks(): LimitClocks {
  const [nowMs, nowMicros] = [performance.now(), epochMicros()];
  return { nowMs: () => nowMs, nowMicros: () => nowMicros };
}

export function localLimiter(limits: Limits, given: LimitClocks = clocks): SharedRateLimiter {
  const server = new EmbeddedBucketServer(given.nowMicros);
  const client: EmbeddedBucketClient = new EmbeddedBucketClient((request) =>
    queueMicrotask(() => client.receive(server.handle(request))),
  );
  return new SharedRateLimiter({
    buckets: client,
    mode: 'embedded',
    limits,
    workers: 1,
    clocks: given,
    onMode: () => {},
    onCall: () => {},
  });
}
