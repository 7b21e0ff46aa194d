/** The buckets of all machines in Redis: one script call decides a whole batch. */
import type { RedisStore } from 'rate-limit-redis';
import { type BatchDecision, bucketKeys, type Buckets, BucketsUnavailable, globalKey } from './buckets.ts';
import { LuaScript } from './lua-script.ts';
import type { Limits, RateLimitKeys } from './rate-limiter.ts';
import { createRedisStore, type RedisClient, sendCommand } from './redis-connection.ts';

const script = new LuaScript('decide.lua');

/** The byte that means "no publisher" in the arguments of the script. */
const noBucket = 0;

export class RedisBuckets implements Buckets {
  readonly #redis: RedisClient;
  readonly #store: RedisStore;
  readonly #hashes: readonly string[];
  readonly #probeKey: string;
  readonly #limits: readonly string[];

  constructor(redis: RedisClient, { ip, publisher, global }: Limits) {
    this.#redis = redis;
    this.#store = createRedisStore(redis);
    this.#hashes = ['0', '1', '2'].map((name) => this.#store.prefixKey(name));
    this.#probeKey = this.#store.prefixKey('probe');
    this.#limits = [String(ip), String(publisher), String(global)];
  }

  /** A write, because a decision writes: a read would succeed on a replica. */
  async probe(): Promise<void> {
    await sendCommand(this.#store, this.#probeKey, ['SET', this.#probeKey, '1', 'PX', '1000']);
  }

  close(): void {
    this.#redis.disconnect();
  }

  async decideAll(batch: readonly RateLimitKeys[]): Promise<BatchDecision> {
    const args = this.#scriptArguments(batch);
    const reply = await this.#runScript(args);
    if (!isDecisions(reply)) throw new BucketsUnavailable('the script returned an unusable reply');
    return { nowMicros: reply[0]!, decisions: reply.slice(1) };
  }

  async #runScript(args: readonly string[]): Promise<unknown> {
    try {
      return await script.run(this.#store, this.#hashes, args);
    } catch (error) {
      throw new BucketsUnavailable('the script call to Redis failed', { cause: error });
    }
  }

  /** Each bucket of the batch is listed once; a request refers to its buckets by index. */
  #scriptArguments(batch: readonly RateLimitKeys[]): string[] {
    const buckets = [globalKey];
    const indexes = new Map<string, number>();
    const indexOf = (key: string): number => {
      let index = indexes.get(key);
      if (index === undefined) indexes.set(key, (index = buckets.push(key)));
      return index;
    };
    let requests = '';
    for (const keys of batch) {
      const { ip, publisher } = bucketKeys(keys);
      requests += String.fromCharCode(indexOf(ip), publisher === undefined ? noBucket : indexOf(publisher));
    }
    return [...this.#limits, requests, ...buckets];
  }
}

function isDecisions(reply: unknown): reply is number[] {
  return Array.isArray(reply) && reply.every(Number.isFinite);
}
