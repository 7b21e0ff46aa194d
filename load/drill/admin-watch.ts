/** Polls the admin server of the exchange and keeps every sample. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readMetrics } from '../bench/machine/counters.ts';
import type { Sample } from './judge.ts';

const pollIntervalMs = 100;
const timeoutMs = 2_000;

export class AdminWatch {
  readonly samples: Sample[] = [];
  readonly #admin: string;
  #isStopped = false;
  #polling: Promise<void> = Promise.resolve();

  constructor(admin: string) {
    this.#admin = admin;
  }

  start(): void {
    this.#polling = this.#poll();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#polling;
  }

  async #poll(): Promise<void> {
    while (!this.#isStopped) {
      const values = new Map([['/readyz', await readiness(this.#admin)]]);
      for (const [series, value] of await metricsOrNone(this.#admin)) values.set(series, value);
      this.samples.push({ atMs: performance.now(), values });
      await sleep(pollIntervalMs);
    }
  }
}

/** The status; 0 without a response. */
export async function readiness(admin: string): Promise<number> {
  try {
    const response = await fetch(`${admin}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
    await response.text();
    return response.status;
  } catch {
    return 0;
  }
}

async function metricsOrNone(admin: string): Promise<ReadonlyMap<string, number>> {
  try {
    return await Promise.race([readMetrics(admin), sleep(timeoutMs, new Map<string, number>())]);
  } catch {
    return new Map();
  }
}
