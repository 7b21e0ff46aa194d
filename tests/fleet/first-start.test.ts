/** Workers that fail before all were ready, with fake processes and a fake clock. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import cluster, { type Worker } from 'node:cluster';
import type { Fleet } from '../../src/fleet/fleet.ts';
import { createFleet, createWorker, exits, listens } from '../support/fake-workers.ts';

let forked: Worker[];
let fork: jest.SpiedFunction<typeof cluster.fork>;
let fleet: Fleet;
let crashLoops: number;
beforeEach(() => {
  forked = [];
  crashLoops = 0;
  jest.useFakeTimers();
  fork = jest.spyOn(cluster, 'fork').mockImplementation(() => {
    const worker = createWorker(forked.length + 1);
    forked.push(worker);
    return worker;
  });
  fleet = createFleet({ size: 2, onCrashLoop: () => crashLoops++ });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
  cluster.removeAllListeners('exit').removeAllListeners('message');
});

const latest = () => forked.at(-1)!;
const isSettled = async (started: Promise<number>) => {
  const pending = Symbol('pending');
  await jest.advanceTimersByTimeAsync(0);
  return (await Promise.race([started, Promise.resolve(pending)])) !== pending;
};

test('a worker that exits is replaced, and the start ends when all are ready', async () => {
  const started = fleet.start();
  exits(forked[0]!);
  listens(forked[1]!);
  expect(await isSettled(started)).toBe(false);
  await jest.advanceTimersByTimeAsync(100);
  expect(forked).toHaveLength(3);
  listens(latest());
  expect(await started).toBe(1);
  expect(fleet.ready).toBe(2);
});

test('a process that cannot be started is tried again', async () => {
  fork.mockImplementationOnce(() => {
    throw new Error('EMFILE');
  });
  const started = fleet.start();
  await jest.advanceTimersByTimeAsync(100);
  expect(forked).toHaveLength(2);
  for (const worker of forked) listens(worker);
  expect(await started).toBe(1);
});

describe('the start fails', () => {
  test.each([
    ['at once', 0],
    ['slowly', 20_000],
  ])('if a worker exits %s for the eleventh time, although another one is ready', async (_name, uptimeMs) => {
    const started = fleet.start();
    const failed = expect(started).rejects.toThrow('workers crash repeatedly at startup');
    const ready = forked[1]!;
    listens(ready);
    exits(forked[0]!);
    for (let exit = 2; exit <= 11; exit++) {
      await runFor(5_000, ready);
      expect(forked).toHaveLength(exit + 1);
      await runFor(uptimeMs, ready);
      exits(latest());
    }
    await failed;
    expect(crashLoops).toBe(0);
  });

  test('if a worker is not ready after a minute', async () => {
    const started = fleet.start();
    const failed = expect(started).rejects.toThrow('a worker did not become ready');
    listens(forked[1]!);
    await runFor(61_000, forked[1]!);
    await failed;
  });
});

/** The time passes, and a worker sends its heartbeats. */
async function runFor(durationMs: number, worker: Worker): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += 1_000) {
    cluster.emit('message', worker, { kind: 'heartbeat' }, undefined);
    await jest.advanceTimersByTimeAsync(1_000);
  }
}

test('after the start, workers that crash while none is ready are a crash loop', async () => {
  const started = fleet.start();
  for (const worker of forked) listens(worker);
  await started;
  for (let round = 1; round <= 6; round++) {
    for (const worker of forked.slice(-2)) exits(worker);
    await jest.advanceTimersByTimeAsync(5_000);
  }
  expect(crashLoops).toBe(2); // the eleventh and the twelfth crash
});
