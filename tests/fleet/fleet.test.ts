/** The order of events in the life of workers, with fake processes and a fake clock. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import cluster, { type Worker } from 'node:cluster';
import { createFleet, createWorker, exits, listens } from '../support/fake-workers.ts';

let forked: Worker[];
beforeEach(() => {
  forked = [];
  jest.useFakeTimers();
  jest.spyOn(cluster, 'fork').mockImplementation(() => {
    const worker = createWorker(forked.length + 1);
    forked.push(worker);
    return worker;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
  cluster.removeAllListeners('exit').removeAllListeners('message');
});

test('reports the exit of a worker only after all of its messages were received', () => {
  const events: string[] = [];
  const fleet = createFleet({
    onMessage: ({ kind }) => void events.push(kind),
    onWorkerExit: (worker) => events.push(`worker ${worker} exited`),
  });
  const worker = Object.assign(createWorker(7), { isConnected: () => true });
  cluster.emit('exit', worker, 0, '');
  cluster.emit('message', worker, { kind: 'metrics-response', snapshot: [] }, undefined);
  worker.emit('disconnect');
  expect(events).toEqual(['metrics-response', 'worker 7 exited']);
  expect(fleet.alive).toBe(0);
});

test('a worker that is killed as unresponsive during a rolling restart is replaced once', async () => {
  const fleet = createFleet({ size: 2 });
  const started = fleet.start();
  for (const worker of forked) listens(worker);
  await started;
  const [healthy, unresponsive] = forked as [Worker, Worker];

  void fleet.rollingRestart();
  for (let seconds = 0; seconds < 6; seconds++) {
    cluster.emit('message', healthy, { kind: 'heartbeat' }, undefined);
    jest.advanceTimersByTime(1_000);
  }
  const [, , newOfHealthy, newOfUnresponsive] = forked as [Worker, Worker, Worker, Worker];
  listens(newOfHealthy);
  listens(newOfUnresponsive);
  await jest.advanceTimersByTimeAsync(0);
  exits(healthy);
  await jest.advanceTimersByTimeAsync(0);
  exits(unresponsive);
  expect(forked.length).toBe(4);
  expect(fleet.ready).toBe(2);
});
