import type { BatchDecision, BucketBatch } from '../../src/limits/buckets.ts';
import { RedisBuckets } from '../../src/limits/redis-buckets.ts';
import type { RedisClient } from '../../src/limits/redis-connection.ts';

const timeoutMs = 60_000;

/** Waits for a Redis that is slow: no call fails because the machine is busy. */
export class PatientBuckets extends RedisBuckets {
  constructor(redis: RedisClient) {
    super(redis);
    Object.assign(redis.options, { socketTimeout: timeoutMs });
  }

  override decideAll(batch: BucketBatch): Promise<BatchDecision> {
    return super.decideAll(batch, timeoutMs);
  }
}
