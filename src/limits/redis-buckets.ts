/** The buckets of all machines, in Redis: one call of one script for a whole batch. */
import type { Redis } from 'ioredis';
import { bucketKeys, globalKey } from './bucket-keys.ts';
import type { BatchDecision, Buckets } from './buckets.ts';
import type { Decision } from './decision.ts';
import type { Claim, Limits } from './limiter.ts';
import { Script } from './script.ts';

const script = new Script('decide.lua');

export class RedisBuckets implements Buckets {
  readonly #redis: Redis;
  readonly #limits: readonly number[];

  constructor(redis: Redis, { ip, publisher, global }: Limits) {
    this.#redis = redis;
    this.#limits = [ip, publisher, global];
  }

  async decideAll(claims: readonly Claim[]): Promise<BatchDecision> {
    const keys = [globalKey];
    const places = new Map<string, number>();
    const placeOf = (key: string): number => {
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, keys.push(key));
      return keys.length;
    };
    const values = [...this.#limits];
    for (const claim of claims) {
      const { ip, publisher } = bucketKeys(claim);
      values.push(placeOf(ip), publisher === undefined ? 0 : placeOf(publisher));
    }
    const [nowMicros, ...reply] = (await script.run(this.#redis, keys, values)) as [number, ...number[]];
    const decisions: Decision[] = [];
    for (let at = 0; at < reply.length; at += 2) {
      decisions.push({ outcome: reply[at]!, fullInMicros: reply[at + 1]! });
    }
    return { nowMicros, decisions };
  }
}
