/** Counts the workers on all machines: each primary registers its own in Redis and reads the total. */
import { randomUUID } from 'node:crypto';
import type { RedisStore } from 'rate-limit-redis';
import { LuaScript } from './lua-script.ts';
import { createRedisStore, type RedisClient } from './redis-connection.ts';

const script = new LuaScript('worker-registry.lua');
const intervalMs = 1_000;
const expiryMs = 5_000;

export class WorkerRegistry {
  readonly #redis: RedisClient;
  readonly #store: RedisStore;
  readonly #workers: number;
  readonly #onWorkers: (total: number) => void;
  readonly #nowMs: () => number;
  readonly #machineId = randomUUID();
  readonly #timer: NodeJS.Timeout;
  #total: number;
  #fewerSinceMs: number | undefined;

  /**
   * Calls `onWorkers` when the total changes. `expectedTotal` is assumed until Redis has been reached; after that the last
   * total stays valid while Redis is unavailable.
   */
  constructor(
    redis: RedisClient,
    workers: number,
    expectedTotal: number,
    onWorkers: (total: number) => void,
    nowMs: () => number,
  ) {
    this.#redis = redis;
    this.#store = createRedisStore(redis);
    this.#workers = workers;
    this.#total = expectedTotal;
    this.#onWorkers = onWorkers;
    this.#nowMs = nowMs;
    this.#timer = setInterval(() => void this.refresh(), intervalMs).unref();
    redis.on('ready', () => void this.refresh());
  }

  /** Called once per second: the entry of a machine that has stopped expires. */
  async refresh(): Promise<void> {
    const total = await this.#register(this.#workers).catch(() => undefined); // unavailable: the last total stays valid
    if (total !== undefined) this.#update(total);
  }

  /** Deregisters, so that the other machines can raise their shares before the entry expires. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#register(0).catch(() => {});
    this.#redis.disconnect();
  }

  async #register(workers: number): Promise<number> {
    const args = [this.#machineId, String(workers), String(expiryMs)];
    return (await script.run(this.#store, [this.#store.prefixKey('machines')], args)) as number;
  }

  /** A higher total applies immediately, a lower one after a delay: a Redis that lost its data reports too few workers. */
  #update(total: number): void {
    if (total >= this.#total) this.#fewerSinceMs = undefined;
    else if (this.#nowMs() - (this.#fewerSinceMs ??= this.#nowMs()) < expiryMs) return;
    if (total === this.#total || total < this.#workers) return;
    this.#total = total;
    this.#fewerSinceMs = undefined;
    this.#onWorkers(total);
  }
}
