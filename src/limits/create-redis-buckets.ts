/** The buckets of a connection to Redis: in one slot, or spread over the masters of a cluster. */
import { Cluster } from 'ioredis';
import type { Buckets } from './buckets.ts';
import { clocks } from './clocks.ts';
import { RedisBuckets } from './redis-buckets.ts';
import type { RedisClient } from './redis-connection.ts';
import { SlottedBuckets } from './slotted-buckets.ts';

/**
 * The hash tags of the address buckets. Their slots are at equal distances, so masters with equal ranges of slots have equally many,
 * up to sixteen masters. More slots would make each call carry fewer requests.
 */
export const addressTags = [42, 146, 28, 11, 43, 147, 29, 10, 40, 79, 8, 13, 41, 78, 9, 12].map(
  (number) => `limits-${number}`,
);

export function createRedisBuckets(redis: RedisClient): Buckets {
  const hot = new RedisBuckets(redis);
  if (!(redis instanceof Cluster)) return hot;
  const slots = addressTags.map((tag) => new RedisBuckets(redis, tag));
  return new SlottedBuckets({ hot, slots, nowMs: clocks.nowMs });
}
