/** The connection to Redis: it fails at once rather than queue, and never sends a command twice. */
import { Redis } from 'ioredis';

export function connectToRedis(url: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    protocol: 2,
    // A command re-sent after a broken connection would charge twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    // A Redis that is loading its data refuses the script; that is an answer too.
    enableReadyCheck: false,
    disableClientInfo: true,
    connectTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(50 * attempt, 500) * (1 + Math.random()),
    // After a failover the old address may lead to a replica.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  redis.on('error', onError);
  return redis;
}

/** Waits until commands can be sent, but no longer than `mostMs`. */
export async function untilConnected(redis: Redis, mostMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, mostMs);
    redis.once('ready', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
