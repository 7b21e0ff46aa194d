/** The buckets of all machines, in Redis: one call of one script for a whole batch. */
import type { Redis } from 'ioredis';
import { bucketKeys, globalKey } from './bucket-keys.ts';
import type { BatchDecision, Buckets } from './buckets.ts';
import type { RateLimitKeys, Limits } from './rate-limiter.ts';
import { commandTimeoutMs, Script } from './script.ts';
import { within } from './within.ts';

const script = new Script('decide.lua');
/** Braces make a Redis cluster keep them in one slot: one script reads and writes them. */
const hashes = ['gavel:{limits}:0', 'gavel:{limits}:1', 'gavel:{limits}:2'];
const probeKey = 'gavel:{limits}:probe';

export class RedisBuckets implements Buckets {
  readonly #redis: Redis;
  readonly #limits: readonly number[];

  constructor(redis: Redis, { ip, publisher, global }: Limits) {
    this.#redis = redis;
    this.#limits = [ip, publisher, global];
  }

  async probe(): Promise<void> {
    await within(commandTimeoutMs, this.#redis.set(probeKey, '1', 'PX', 1_000));
  }

  async decideAll(claims: readonly RateLimitKeys[]): Promise<BatchDecision> {
    const buckets = [globalKey];
    const known = new Map<string, number>();
    const placeOf = (key: string): number => {
      let place = known.get(key);
      if (place === undefined) known.set(key, (place = buckets.push(key)));
      return place;
    };
    let places = '';
    for (const claim of claims) {
      const { ip, publisher } = bucketKeys(claim);
      places += String.fromCharCode(placeOf(ip), publisher === undefined ? 0 : placeOf(publisher));
    }
    const reply = (await script.run(this.#redis, hashes, [...this.#limits, places, ...buckets])) as number[];
    return { nowMicros: reply.shift()!, decisions: reply };
  }
}
