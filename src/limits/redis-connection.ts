/** How this folder talks to Redis: an ioredis connection, rate-limit-redis's command path on top, and Lua scripts. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { type RedisReply, RedisStore } from 'rate-limit-redis';
import { withTimeout } from './clocks.ts';

/** The longest that Redis can delay a request: far above a round trip, far below what callers wait. */
export const commandTimeoutMs = 400;

/** The braces are a hash tag: a Redis Cluster keeps all keys in one slot, as one script needs them to be. */
const keyPrefix = 'gavel:{limits}:';

/** Commands fail immediately while disconnected, and are never sent twice. */
export function connectToRedis(url: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    protocol: 2,
    // A command that is sent again after a broken connection would charge twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    // A Redis that is loading its data rejects the script; the limiter degrades on that error.
    enableReadyCheck: false,
    disableClientInfo: true,
    connectTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(50 * attempt, 500) * (1 + Math.random()),
    // After a failover the old address may belong to a replica.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  redis.on('error', onError);
  return redis;
}

/** Waits until commands can be sent, at most `timeoutMs`. */
export async function untilConnected(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  redis.once('ready', resolve);
  await promise;
  clearTimeout(timer);
  redis.off('ready', resolve);
}

/**
 * rate-limit-redis's store as key prefix and command path. Its fixed-window counters are not used, so `init`, which would
 * load their scripts, is never called.
 */
export const createRedisStore = (redis: Redis): RedisStore =>
  new RedisStore({
    prefix: keyPrefix,
    sendCommand: (command: string, ...args: string[]) => redis.call(command, ...args) as Promise<RedisReply>,
  });

/** Rejects after the command timeout; the command may have been executed then. */
export const sendCommand = (store: RedisStore, key: string, command: string[]): Promise<RedisReply> =>
  withTimeout(commandTimeoutMs, store.sendCommand({ key, isReadOnly: false, command }));

/** A Lua script of this folder, run by its digest and loaded when Redis does not know it. */
export class LuaScript {
  readonly #source: string;
  /** Computed here: rate-limit-redis takes it from the reply to SCRIPT LOAD, and keeps a failed reply for ever. */
  readonly #digest: string;

  constructor(fileName: string) {
    this.#source = readFileSync(new URL(fileName, import.meta.url), 'utf8');
    this.#digest = createHash('sha1').update(this.#source).digest('hex');
  }

  /** `keys` carry the prefix. Rejects after the command timeout; the script may have run then. */
  run(store: RedisStore, keys: readonly string[], args: readonly string[]): Promise<RedisReply> {
    return withTimeout(commandTimeoutMs, this.#run(store, keys, args));
  }

  async #run(store: RedisStore, keys: readonly string[], args: readonly string[]): Promise<RedisReply> {
    const send = (command: string[]) => store.sendCommand({ key: keys[0]!, isReadOnly: false, command });
    const evalsha = ['EVALSHA', this.#digest, String(keys.length), ...keys, ...args];
    try {
      return await send(evalsha);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      await send(['SCRIPT', 'LOAD', this.#source]);
      return send(evalsha);
    }
  }
}
