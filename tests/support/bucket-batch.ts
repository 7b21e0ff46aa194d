/** The batch of a call with the given requests. */
import { BatchBuilder } from '../../src/limits/batch-builder.ts';
import { BucketResolver } from '../../src/limits/bucket-refs.ts';
import type { BucketBatch } from '../../src/limits/buckets.ts';
import type { Limits, RateLimitKeys } from '../../src/limits/rate-limiter.ts';

export function batchOf(requests: readonly RateLimitKeys[], limits: Limits): BucketBatch {
  const resolver = new BucketResolver(limits);
  const builder = new BatchBuilder(limits.global);
  for (const keys of requests) builder.addRequest(resolver.resolve(keys));
  return builder.batch;
}
