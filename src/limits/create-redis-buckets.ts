/** The buckets of a connection to Redis: in one slot, or spread over the masters of a cluster. */
import { Cluster } from 'ioredis';
import type { Buckets } from './buckets.ts';
import { clocks } from './clocks.ts';
import { RedisBuckets } from './redis-buckets.ts';
import type { RedisClient } from './redis-connection.ts';
import { defaultAddressSlots } from './redis-settings.ts';
import { SlottedBuckets } from './slotted-buckets.ts';

/**
 * The hash tags of the address buckets, in an order in which the slots of the first two, four, eight and so on are at equal distances: masters
 * with equal ranges of slots have equally many of them.
 */
const tagNumbers = [
  164, 212, 211, 167, 33, 31, 118, 30, 77, 75, 76, 85, 254, 122, 121, 257, 55, 648, 54, 56, 102, 8, 29, 9, 232, 144,
  147, 231, 727, 13, 10, 12, 404, 44, 47, 332, 265, 113, 110, 38, 155, 223, 154, 156, 375, 386, 129, 376, 203, 175, 176,
  185, 2, 22, 21, 1, 64, 238, 427, 67, 133, 131, 18, 130, 160, 48, 215, 163, 37, 35, 629, 34, 73, 71, 72, 81, 250, 126,
  125, 253, 51, 179, 50, 52, 106, 270, 273, 105, 68, 140, 69, 235, 723, 17, 14, 16, 168, 40, 43, 336, 261, 117, 114,
  116, 151, 79, 150, 152, 258, 382, 259, 372, 59, 171, 172, 181, 6, 26, 25, 5, 60, 148, 423, 63, 137, 135, 242, 134,
];
export const addressTags = (count: number): string[] => tagNumbers.slice(0, count).map((number) => `limits-${number}`);

export function createRedisBuckets(redis: RedisClient, addressSlots = defaultAddressSlots): Buckets {
  const hot = new RedisBuckets(redis);
  if (!(redis instanceof Cluster)) return hot;
  const slots = addressTags(addressSlots).map((tag) => new RedisBuckets(redis, tag));
  return new SlottedBuckets({ hot, slots, nowMs: clocks.nowMs });
}
