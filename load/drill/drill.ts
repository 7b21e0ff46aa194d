/** What a fault works with: an exchange under steady load, the beginning and the end of the fault, and what was observed. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisServer, startRedis } from '../../tests/support/redis-server.ts';
import { sumOf } from '../bench/machine/counters.ts';
import { writeRequests } from '../bench/traffic/requests.ts';
import { AdminWatch } from './admin-watch.ts';
import { type DrilledExchange, type ExchangeOptions, spawnExchange, untilReady } from './exchange.ts';
import type { Allowance, FaultTimes, Outcome } from './fault.ts';
import {
  findLogLine,
  findMetric,
  type IsNormal,
  judgeRequests,
  type LogSign,
  type MetricSign,
  normalAfter,
} from './judge.ts';
import { SteadyClient } from './steady-client.ts';

export interface Expected {
  metric?: MetricSign;
  logLine?: LogSign;
  isNormal: IsNormal;
  /** The log line is also what shows the recovery. */
  recoversWithLogLine?: boolean;
}

export interface LoadOptions {
  perSecond?: number;
  requests?: Buffer[];
  /** The first scrapes cost CPU time of their own. */
  watchAfterMs?: number;
  durationMs?: number;
}

/** Requests per second of the client. */
export const rate = 80;
/** Before the fault begins. */
const quietMs = 1_500;
/** Metrics must be normal for this long, and the client is observed for this long after the recovery. */
const steadyMs = 1_500;
const observeTimeoutMs = 25_000;
/** Without load a drain takes at most 1 s, and then the exit half a second. */
const exitTimeoutMs = 5_000;

export class Drill {
  readonly folder: string;
  readonly #allowance: Allowance | undefined;
  readonly #cleanUps: (() => void | Promise<void>)[] = [];
  readonly #details: string[] = [];
  readonly #problems: string[] = [];
  #exchange: DrilledExchange | undefined;
  #client: SteadyClient | undefined;
  #watch: AdminWatch | undefined;
  #beganAtMs = 0;
  #endedAtMs: number | undefined;

  constructor(parent: string, allowance: Allowance | undefined) {
    this.#allowance = allowance;
    this.folder = mkdtempSync(join(parent, 'fault-'));
  }

  /** Cleaned up in reverse order. */
  onEnd(cleanUp: () => void | Promise<void>): void {
    this.#cleanUps.push(cleanUp);
  }

  async startRedis(): Promise<RedisServer> {
    const redis = await startRedis();
    this.onEnd(() => redis.kill());
    return redis;
  }

  async startExchange(options: ExchangeOptions = {}): Promise<DrilledExchange> {
    const exchange = await spawnExchange(this.folder, options);
    this.#exchange = exchange;
    this.onEnd(() => exchange.log.stop());
    this.onEnd(() => exchange.kill());
    await untilReady(exchange);
    return exchange;
  }

  /** Sends requests from now on; the fault may begin when it resolves. */
  async startLoad(options: LoadOptions = {}): Promise<SteadyClient> {
    const { perSecond = rate, requests = this.requests(), watchAfterMs = 0, durationMs = quietMs } = options;
    const client = new SteadyClient(this.#exchange!.port, requests, perSecond);
    this.#client = client;
    this.#watch = new AdminWatch(this.#exchange!.admin);
    client.start();
    await sleep(watchAfterMs);
    this.#watch.start();
    await sleep(durationMs - watchAfterMs);
    return client;
  }

  requests(): Buffer[] {
    const bytes = readFileSync(writeRequests(this.folder).path);
    const requests: Buffer[] = [];
    for (let at = 0; at < bytes.length;) {
      const lineEnd = bytes.indexOf('\n', at);
      const end = lineEnd + 1 + Number(bytes.toString('latin1', at, lineEnd));
      requests.push(bytes.subarray(lineEnd + 1, end));
      at = end;
    }
    return requests;
  }

  /** The fault begins. Its cause is gone at once, unless `faultEnds` is called. */
  faultBegins(): void {
    this.#beganAtMs = performance.now();
  }

  faultEnds(): void {
    this.#endedAtMs = performance.now();
  }

  get times(): FaultTimes {
    return { beganAtMs: this.#beganAtMs, endedAtMs: this.#endedAtMs ?? this.#beganAtMs };
  }

  /** A goal of this fault alone; the description has what was measured, and the goal. */
  expect(description: string, isMet: boolean): void {
    this.#details.push(description);
    if (!isMet) this.#problems.push(description);
  }

  /** The last metrics that were read. */
  get metrics(): ReadonlyMap<string, number> {
    return this.#watch!.samples.findLast(({ values }) => values.has('exchange_workers'))!.values;
  }

  /** Waits until everything expected was seen and is normal again, or for too long; then stops load and exchange. */
  async observe(expected: Expected): Promise<Outcome> {
    const deadlineMs = performance.now() + observeTimeoutMs;
    while (performance.now() < deadlineMs && !this.#isOver(expected)) await sleep(50);
    return this.finish(expected);
  }

  async finish({ metric, logLine, isNormal, recoversWithLogLine = false }: Expected): Promise<Outcome> {
    await this.#client!.stop();
    await this.#watch!.stop();
    const { samples } = this.#watch!;
    const { times } = this;
    await this.#endExchange();
    const { failedForMs, ...requests } = judgeRequests(this.#client!.sent, this.#allowance, times);
    const line = logLine && findLogLine(this.#exchange!.log.lines, logLine, times);
    const loggedAfterMs = recoversWithLogLine && line ? line.afterMs - (times.endedAtMs - times.beganAtMs) : 0;
    const shed = sumOf(samples.at(-1)?.values ?? new Map(), /^exchange_shed_total/);
    return {
      ...requests,
      failures: shed > 0 ? `${requests.failures}; exchange_shed_total = ${shed}` : requests.failures,
      recoveryMs: Math.max(normalAfter(samples, isNormal, times), failedForMs, loggedAfterMs),
      metric: metric && findMetric(samples, metric, times),
      logLine: line,
      details: this.#details,
      problems: this.#problems,
    };
  }

  #isOver({ metric, logLine, isNormal }: Expected): boolean {
    const { samples } = this.#watch!;
    const steadySinceMs = performance.now() - steadyMs;
    if (steadySinceMs < this.times.endedAtMs) return false;
    const isSteady = samples.every(({ atMs, values }) => atMs < steadySinceMs || isNormal(values));
    const { log } = this.#exchange!;
    return (
      isSteady &&
      (!metric || findMetric(samples, metric, this.times) !== undefined) &&
      (!logLine || findLogLine(log.lines, logLine, this.times) !== undefined)
    );
  }

  async #endExchange(): Promise<void> {
    const { process: child, exitCode } = this.#exchange!;
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    const code = await exitCode(exitTimeoutMs);
    if (code !== 0) this.#problems.push(`SIGTERM afterwards: exit code ${code ?? 'none'}, goal 0`);
  }

  async end(): Promise<void> {
    for (const cleanUp of this.#cleanUps.splice(0).toReversed()) await cleanUp();
  }

  /** The exit of this process waits for nothing. */
  endNow(): void {
    for (const cleanUp of this.#cleanUps.splice(0).toReversed()) void cleanUp();
  }
}
