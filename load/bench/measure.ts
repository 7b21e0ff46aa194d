/** The measurements: all contenders run, each is loaded in turn, round by round. */
import type { Redis } from 'ioredis';
import type { Contender } from './contenders.ts';
import { watchOthers } from './machine/others.ts';
import { allCores, cpuMicros, pin } from './machine/processes.ts';
import { redisCpuMicros } from './machine/redis-account.ts';
import type { Running } from './machine/start.ts';
import { connections, rounds, secondsARound, warmUpSeconds } from './settings.ts';
import { runWrk, type WrkFigures } from './traffic/run-wrk.ts';

/** What others may take of the machine in a round that counts without a second attempt. */
const quietShare = 0.1;
const mostAttempts = 3;

/** What a measurement needs beside the contenders. */
export interface Ground {
  redis: Redis;
  requestsFile: string;
  /** Redis, and partners where there are some. */
  helpers: readonly number[];
}

export interface Round {
  /** The share of the machine that others took. */
  othersShare: number;
}

export interface CpuRound extends Round {
  micros: number;
}

export interface SaturatedRound extends Round, WrkFigures {
  redisMicros: number;
}

export async function startAll(contenders: readonly Contender[], workers: number): Promise<Running[]> {
  const all: Running[] = [];
  for (const contender of contenders) all.push(await contender.start(workers));
  return all;
}

/** Throws where one of them complained: then it was not measured at what it is meant to do. */
export async function endAll(all: readonly Running[]): Promise<void> {
  for (const running of all) {
    const complaints = await running.end();
    if (complaints.length > 0) throw new Error(`there were complaints:\n${complaints.join('\n')}`);
  }
}

/** Workers on a core of their own; their primaries, the helpers, this process and with it wrk on another. */
export function pinApart(all: readonly Running[], helpers: readonly number[]): void {
  for (const pid of [process.pid, ...helpers, ...all.map(({ primary }) => primary)]) pin(pid, '0');
  for (const pid of all.flatMap(({ workers }) => workers)) pin(pid, '1');
}

/** The contenders have one worker each. */
export async function measureCpu(all: readonly Running[], ground: Ground): Promise<CpuRound[][]> {
  pinApart(all, ground.helpers);
  const measured = await inTurn(all, ground, async ({ workers }, load) => {
    const before = cpuMicros(workers[0]!);
    const { requests } = await load();
    return { micros: (cpuMicros(workers[0]!) - before) / requests };
  });
  for (const pid of [process.pid, ...ground.helpers]) pin(pid, allCores);
  return measured;
}

/** As much as wrk can get out of them while all share the cores. */
export const measureSaturated = (all: readonly Running[], ground: Ground): Promise<SaturatedRound[][]> =>
  inTurn(all, ground, async (_running, load) => {
    const before = await redisCpuMicros(ground.redis);
    const figures = await load();
    return { ...figures, redisMicros: ((await redisCpuMicros(ground.redis)) - before) / figures.requests };
  });

/** For each contender what its rounds gave. */
async function inTurn<T>(
  all: readonly Running[],
  { requestsFile, helpers }: Ground,
  measure: (running: Running, load: () => Promise<WrkFigures>) => Promise<T>,
): Promise<(T & Round)[][]> {
  const ours = processesOf(all, helpers);
  for (const { url } of all) await runWrk({ url, requestsFile, connections, seconds: warmUpSeconds });
  const measured = all.map((): (T & Round)[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, running] of all.entries()) {
      const load = () => runWrk({ url: running.url, requestsFile, connections, seconds: secondsARound });
      measured[at]!.push(await undisturbed(ours, () => measure(running, load)));
    }
  }
  return measured;
}

/** Measures again where others took too much of the machine; the quietest attempt counts. */
export async function undisturbed<T>(ours: readonly number[], measure: () => Promise<T>): Promise<T & Round> {
  let best: (T & Round) | undefined;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const others = watchOthers(ours);
    const figures = await measure();
    const othersShare = others();
    if (!best || othersShare < best.othersShare) best = { ...figures, othersShare };
    if (othersShare <= quietShare) break;
  }
  return best!;
}

/** All that are part of a measurement. */
export const processesOf = (all: readonly Running[], helpers: readonly number[]): number[] => [
  ...helpers,
  ...all.flatMap(({ primary, workers }) => [primary, ...workers]),
];

/** Of all workers. */
export const memoryMiB = ({ workers }: Running, ofOne: (pid: number) => number): number =>
  workers.map(ofOne).reduce((sum, one) => sum + one, 0);

/** For the notes of the results. */
export const disturbance = (all: readonly Round[]): string =>
  `Others took up to ${(Math.max(...all.map(({ othersShare }) => othersShare)) * 100).toFixed(0)}% of the machine during a round.`;
