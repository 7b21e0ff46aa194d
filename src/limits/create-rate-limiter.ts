/** Constructs the rate limiter of a worker: with buckets in Redis if it is configured, else in the primary. */
import type { Buckets } from './buckets.ts';
import { clocks } from './clocks.ts';
import { createRedisBuckets } from './create-redis-buckets.ts';
import { redisCause } from './redis-cause.ts';
import { connectToRedis, untilConnected } from './redis-connection.ts';
import type { RedisSettings } from './redis-settings.ts';
import { SharedRateLimiter, type SharedRateLimiterParts } from './shared-rate-limiter.ts';

/** How long a new worker waits for Redis before it takes traffic without it. */
const redisWaitMs = 1_000;

export interface RateLimiterParts extends Pick<
  SharedRateLimiterParts,
  'limits' | 'workers' | 'onMode' | 'onFurtherCause' | 'onCall'
> {
  redis: RedisSettings | undefined;
  embeddedBuckets: Buckets;
  /** Called once per cause, not per attempt to connect. */
  onConnectionError: (message: string) => void;
}

/** Resolves when it is known whether the buckets are available: a worker that cannot use Redis starts in degraded mode. */
export async function createRateLimiter(parts: RateLimiterParts): Promise<SharedRateLimiter> {
  const { redis, embeddedBuckets, onConnectionError, ...common } = parts;
  if (!redis) return new SharedRateLimiter({ ...common, clocks, mode: 'embedded', buckets: embeddedBuckets });
  let lastError = '';
  const client = connectToRedis(redis, (error) => {
    const message = redisCause(error);
    if (message !== lastError) onConnectionError(message);
    lastError = message;
  });
  await untilConnected(client, redisWaitMs);
  const buckets = createRedisBuckets(client, redis.addressSlots);
  const limiter = new SharedRateLimiter({ ...common, clocks, mode: 'redis', buckets });
  await limiter.probe();
  client.on('ready', () => void limiter.probe()); // after a failover, sooner than the next periodic probe
  return limiter;
}
