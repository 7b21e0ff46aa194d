/** Measures servers against each other: all run at once, and each is loaded in turn, round by round. */
import type { Redis } from 'ioredis';
import { redisCpuMicros } from './machine/counters.ts';
import { allCores, cpuMicros, pin, watchOtherLoad } from './machine/processes.ts';
import type { RunningServer } from './machine/start.ts';
import type { BenchServer } from './servers.ts';
import { connections, rounds, roundSeconds, warmUpSeconds } from './settings.ts';
import { percent } from './statistics.ts';
import { runWrk, type WrkResult } from './traffic/run-wrk.ts';

/** A round is repeated if unrelated processes took more than this share of the machine. */
const maxOtherLoad = 0.1;
const maxAttempts = 3;

export interface BenchContext {
  redis: Redis;
  requestsFile: string;
  /** The pids of Redis and of the partners, if any. */
  helpers: readonly number[];
}

export interface Round {
  /** The share of the machine that unrelated processes took. */
  otherLoad: number;
}

export interface CpuRound extends Round {
  micros: number;
}

export interface SaturatedRound extends Round, WrkResult {
  redisMicros: number;
}

export async function startAll(servers: readonly BenchServer[], workers: number): Promise<RunningServer[]> {
  const all: RunningServer[] = [];
  for (const server of servers) all.push(await server.start(workers));
  return all;
}

/** Throws if a server logged a warning: the measurement then includes something unintended. */
export async function stopAll(all: readonly RunningServer[]): Promise<void> {
  for (const server of all) {
    const warnings = await server.stop();
    if (warnings.length > 0) throw new Error(`the server logged warnings:\n${warnings.join('\n')}`);
  }
}

/** Pins the workers to core 1; the primaries, the helpers and this process, which starts wrk, to core 0. */
export function pinApart(all: readonly RunningServer[], helpers: readonly number[]): void {
  for (const pid of [process.pid, ...helpers, ...all.map(({ primary }) => primary)]) pin(pid, '0');
  for (const pid of all.flatMap(({ workers }) => workers)) pin(pid, '1');
}

/** CPU time per request; the servers must have one worker each. */
export async function measureCpu(all: readonly RunningServer[], context: BenchContext): Promise<CpuRound[][]> {
  pinApart(all, context.helpers);
  const measured = await measureInTurn(all, context, async ({ workers }, load) => {
    const before = cpuMicros(workers[0]!);
    const { requests } = await load();
    return { micros: (cpuMicros(workers[0]!) - before) / requests };
  });
  for (const pid of [process.pid, ...context.helpers]) pin(pid, allCores);
  return measured;
}

/** Maximum throughput while servers, Redis and wrk share the cores. */
export const measureSaturated = (all: readonly RunningServer[], context: BenchContext): Promise<SaturatedRound[][]> =>
  measureInTurn(all, context, async (_server, load) => {
    const before = await redisCpuMicros(context.redis);
    const result = await load();
    return { ...result, redisMicros: ((await redisCpuMicros(context.redis)) - before) / result.requests };
  });

/** Returns the rounds of each server. */
async function measureInTurn<T>(
  all: readonly RunningServer[],
  { requestsFile, helpers }: BenchContext,
  measure: (server: RunningServer, load: () => Promise<WrkResult>) => Promise<T>,
): Promise<(T & Round)[][]> {
  const own = processesOf(all, helpers);
  for (const { url } of all) await runWrk({ url, requestsFile, connections, seconds: warmUpSeconds });
  const measured = all.map((): (T & Round)[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, server] of all.entries()) {
      const load = () => runWrk({ url: server.url, requestsFile, connections, seconds: roundSeconds });
      measured[index]!.push(await undisturbed(own, () => measure(server, load)));
    }
  }
  return measured;
}

/** Repeats a measurement while unrelated processes disturb it, up to three attempts; the least disturbed one counts. */
export async function undisturbed<T>(own: readonly number[], measure: () => Promise<T>): Promise<T & Round> {
  let best: (T & Round) | undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const stopWatching = watchOtherLoad(own);
    const result = await measure();
    const otherLoad = stopWatching();
    if (!best || otherLoad < best.otherLoad) best = { ...result, otherLoad };
    if (otherLoad <= maxOtherLoad) break;
  }
  return best!;
}

/** The pids of all processes that are part of a measurement. */
export const processesOf = (all: readonly RunningServer[], helpers: readonly number[]): number[] => [
  ...helpers,
  ...all.flatMap(({ primary, workers }) => [primary, ...workers]),
];

/** The sum over all workers. */
export const workersMiB = ({ workers }: RunningServer, memoryOf: (pid: number) => number): number =>
  workers.map(memoryOf).reduce((sum, one) => sum + one, 0);

/** A sentence for the results. */
export const describeOtherLoad = (all: readonly Round[]): string =>
  `Unrelated processes took up to ${percent(Math.max(...all.map(({ otherLoad }) => otherLoad)))} of the machine during a round.`;
