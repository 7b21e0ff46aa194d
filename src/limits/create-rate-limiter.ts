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
/** Causes reported per outage: they may contain addresses, so their number is bounded. */
const maxCauses = 8;

export interface RateLimiterParts extends Pick<
  SharedRateLimiterParts,
  'limits' | 'workers' | 'onMode' | 'onFurtherCause' | 'onCall'
> {
  redis: RedisSettings | undefined;
  embeddedBuckets: Buckets;
  /** Called once per cause and outage, not per attempt to connect. */
  onConnectionError: (message: string) => void;
}

/** Resolves when it is known whether the buckets are available: a worker that cannot use Redis starts in degraded mode. */
export async function createRateLimiter(parts: RateLimiterParts): Promise<SharedRateLimiter> {
  const { redis, embeddedBuckets, onConnectionError, ...common } = parts;
  if (!redis) return new SharedRateLimiter({ ...common, clocks, mode: 'embedded', buckets: embeddedBuckets });
  const causes = new Set<string>();
  const client = connectToRedis(redis, (error) => {
    const cause = redisCause(error);
    if (causes.size >= maxCauses || causes.has(cause)) return;
    causes.add(cause);
    onConnectionError(cause);
  });
  await untilConnected(client, redisWaitMs);
  let isDegraded = false;
  const onMode: SharedRateLimiterParts['onMode'] = (mode, cause) => {
    isDegraded = mode === 'degraded';
    if (!isDegraded) causes.clear(); // not when connected: Redis accepts a connection before it rejects it
    common.onMode(mode, cause);
  };
  const buckets = createRedisBuckets(client, redis.addressSlots);
  const limiter = new SharedRateLimiter({ ...common, onMode, clocks, mode: 'redis', buckets });
  await limiter.probe();
  if (!isDegraded) causes.clear(); // Redis may have started after this worker
  client.on('ready', () => void limiter.probe()); // after a failover, sooner than the next periodic probe
  return limiter;
}
