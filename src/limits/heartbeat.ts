/** How many workers there are on all machines: each primary says in Redis that it is there, and counts the others. */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { Script } from './script.ts';

const script = new Script('heartbeat.lua');
const key = 'gavel:{limits}:machines';
const beatEveryMs = 1_000;
const holdsForMs = 5_000;

export class Heartbeat {
  readonly #redis: Redis;
  readonly #workers: number;
  readonly #onWorkers: (total: number) => void;
  readonly #nowMs: () => number;
  readonly #id = randomUUID();
  readonly #timer: NodeJS.Timeout;
  #total: number;
  #fewerSinceMs: number | undefined;

  /** `onWorkers` is told when the number of workers on all machines changes; while Redis is away, the last one stands. */
  constructor(redis: Redis, workers: number, onWorkers: (total: number) => void, nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#redis = redis;
    this.#workers = workers;
    this.#total = workers;
    this.#onWorkers = onWorkers;
    this.#timer = setInterval(() => void this.beat(), beatEveryMs).unref();
    redis.on('ready', () => void this.beat());
  }

  async beat(): Promise<void> {
    try {
      this.#update(await this.#say(this.#workers));
    } catch {
      // out of reach: the last known number stands
    }
  }

  /** Says goodbye, so that the others get their larger shares at once. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#say(0).catch(() => {});
    this.#redis.disconnect();
  }

  async #say(workers: number): Promise<number> {
    return (await script.run(this.#redis, [key], [this.#id, workers, holdsForMs])) as number;
  }

  /** More workers count at once; fewer only once they were fewer for a while: a Redis that lost its data knows nobody. */
  #update(total: number): void {
    if (total >= this.#total) this.#fewerSinceMs = undefined;
    else if (this.#nowMs() - (this.#fewerSinceMs ??= this.#nowMs()) < holdsForMs) return;
    if (total === this.#total || total < this.#workers) return;
    this.#total = total;
    this.#fewerSinceMs = undefined;
    this.#onWorkers(total);
  }
}
