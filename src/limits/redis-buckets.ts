/** The buckets of all machines in Redis: one script call decides a whole batch. */
import type { RedisStore } from 'rate-limit-redis';
import { kinds } from './bucket-refs.ts';
import {
  type BatchDecision,
  type BucketBatch,
  type Buckets,
  BucketsUnavailable,
  leaseFields,
  settlementFields,
} from './buckets.ts';
import { LuaScript } from './lua-script.ts';
import { redisCause } from './redis-cause.ts';
import { commandTimeoutMs, createRedisStore, type RedisClient } from './redis-connection.ts';

const script = new LuaScript('decide.lua');

/** Charges a bucket of its own, which is never empty: whatever prevents a decision fails the probe too, such as a replica or a missing permission. */
const probeBatch: BucketBatch = { names: ['probe'], limits: [1_000_000], requests: [0, 0, 0, 1], leases: [] };

export class RedisBuckets implements Buckets {
  readonly timeoutMs = commandTimeoutMs;
  readonly #redis: RedisClient;
  readonly #store: RedisStore;
  readonly #hashes: readonly string[];

  /** Keys with one `tag` are in one slot of a Redis Cluster. */
  constructor(redis: RedisClient, tag?: string) {
    this.#redis = redis;
    this.#store = createRedisStore(redis, tag);
    this.#hashes = ['0', '1', '2'].map((name) => this.#store.prefixKey(name));
  }

  async probe(): Promise<void> {
    await this.decideAll(probeBatch);
  }

  close(): void {
    this.#redis.disconnect();
  }

  async decideAll(batch: BucketBatch, timeoutMs?: number): Promise<BatchDecision> {
    const args = scriptArguments(batch);
    const reply = await this.#runScript(args, timeoutMs);
    if (!isNumbers(reply)) throw new BucketsUnavailable('the script returned an unusable reply');
    const grantsFrom = 1 + batch.requests.length / kinds.length;
    return { nowMicros: reply[0]!, decisions: reply.slice(1, grantsFrom), grants: reply.slice(grantsFrom) };
  }

  async #runScript(args: readonly string[], timeoutMs: number | undefined): Promise<unknown> {
    try {
      return await script.run(this.#store, this.#hashes, args, timeoutMs);
    } catch (error) {
      throw new BucketsUnavailable(redisCause(error), { cause: error });
    }
  }
}

function scriptArguments(batch: BucketBatch): string[] {
  const { names, limits, requests, leases, pendingRequests = 0, settlements = [] } = batch;
  const distinctLimits = [...new Set(limits)];
  const limitPositions = limits.map((limit) => distinctLimits.indexOf(limit) + 1);
  return [
    String(distinctLimits.length),
    encodeNumbers(requests),
    encodeNumbers(limitPositions),
    encodeWithEpochs(leases, leaseFields),
    String(pendingRequests),
    encodeWithEpochs(settlements, settlementFields),
    ...distinctLimits.map(String),
    ...names,
  ];
}

/** Two ASCII characters of seven bits each, the higher first. */
const encodeNumber = (number: number): string => String.fromCharCode((number >> 7) & 127, number & 127);

function encodeNumbers(numbers: readonly number[]): string {
  let text = '';
  for (const number of numbers) text += encodeNumber(number);
  return text;
}

/** An epoch has four characters: its lower 28 bits, which repeat after months. */
const epochModulus = 2 ** 28;

/** Groups of `fields` numbers, of which the second is an epoch. */
function encodeWithEpochs(numbers: readonly number[], fields: number): string {
  let text = '';
  for (let at = 0; at < numbers.length; at += fields) {
    const epoch = numbers[at + 1]! % epochModulus;
    text += encodeNumber(numbers[at]!) + encodeNumber(epoch >> 14) + encodeNumber(epoch);
    text += encodeNumbers(numbers.slice(at + 2, at + fields));
  }
  return text;
}

function isNumbers(reply: unknown): reply is number[] {
  return Array.isArray(reply) && reply.every(Number.isFinite);
}
