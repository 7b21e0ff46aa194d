/** The real rate limiter of a worker, with the primary's buckets in the same process. */
import { clocks } from '../../src/limits/clocks.ts';
import { EmbeddedBucketClient, EmbeddedBucketServer } from '../../src/limits/embedded-buckets.ts';
import type { Limits } from '../../src/limits/rate-limiter.ts';
import { SharedRateLimiter } from '../../src/limits/shared-rate-limiter.ts';

export function localLimiter(limits: Limits): SharedRateLimiter {
  const server = new EmbeddedBucketServer(clocks.nowMicros);
  const client: EmbeddedBucketClient = new EmbeddedBucketClient((request) =>
    queueMicrotask(() => client.receive(server.handle(request))),
  );
  return new SharedRateLimiter({
    buckets: client,
    mode: 'embedded',
    limits,
    workers: 1,
    clocks,
    onMode: () => {},
    onCall: () => {},
  });
}
