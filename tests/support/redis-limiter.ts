/** A worker's rate limiter on a real Redis, and requests that are decided by it until the test stops them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { createRateLimiter } from '../../src/limits/create-rate-limiter.ts';
import type { Limits, RateLimitKeys, RateLimitResult } from '../../src/limits/rate-limiter.ts';
import type { RedisSettings } from '../../src/limits/redis-settings.ts';
import type { LimitMode, SharedRateLimiter } from '../../src/limits/shared-rate-limiter.ts';
import { FakeBuckets } from './fake-limiter.ts';
import { until } from './until.ts';

export const redisLimits: Limits = { ip: 40, publisher: 1_000_000, global: 1_000_000 };

export class RedisLimiter {
  readonly modes: LimitMode[] = [];
  readonly errors: string[] = [];
  readonly causes: unknown[] = [];
  #limiter!: SharedRateLimiter;
  #stopped = false;
  #sent = 0;
  #traffic = Promise.resolve();

  async start(redis: RedisSettings, limits = redisLimits): Promise<this> {
    this.#limiter = await createRateLimiter({
      redis,
      limits,
      workers: 2,
      embeddedBuckets: new FakeBuckets(),
      onMode: (mode, cause) => {
        this.modes.push(mode);
        this.causes.push(cause);
      },
      onCall: () => {},
      onConnectionError: (message) => this.errors.push(message),
    });
    return this;
  }

  /** A request every few milliseconds. It fails if a request is rejected by a defect. */
  startTraffic(): void {
    this.#traffic = this.#run();
  }

  async stopTraffic(): Promise<void> {
    this.#stopped = true;
    await this.#traffic;
  }

  async waitForDecisions(count: number): Promise<void> {
    const target = this.#sent + count;
    await until(`${count} more requests are decided`, () => this.#sent >= target);
  }

  untilMode(mode: LimitMode): Promise<void> {
    return until(`the mode is ${mode}`, () => this.modes.at(-1) === mode);
  }

  /** Sends the requests at once. */
  decideAll(requests: readonly RateLimitKeys[]): Promise<RateLimitResult[]> {
    return Promise.all(requests.map((keys) => this.#limiter.decide(keys)));
  }

  /** Sends more requests than one address may send, and checks the number admitted. */
  async expectExact(address: string): Promise<void> {
    const startedAtMs = performance.now();
    const results = await this.decideAll(Array.from({ length: 200 }, () => ({ ip: address, publisher: undefined })));
    const refilled = Math.ceil((redisLimits.ip * (performance.now() - startedAtMs)) / 1000);
    const admitted = results.filter((result) => result.admitted).length;
    expect(results[0]).toMatchObject({ limit: redisLimits.ip });
    expect(admitted).toBeGreaterThanOrEqual(redisLimits.ip);
    expect(admitted).toBeLessThanOrEqual(redisLimits.ip + refilled);
  }

  close(): void {
    this.#limiter.close();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      await this.#limiter.decide({ ip: `198.51.100.${this.#sent % 200}`, publisher: 'pub-1' });
      this.#sent++;
      await sleep(5);
    }
  }
}
