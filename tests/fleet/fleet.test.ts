/** The order of events when a worker exits, with a fake worker. */
import { expect, test } from '@jest/globals';
import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { Fleet } from '../../src/fleet/fleet.ts';

test('reports the exit of a worker only after all of its messages were received', () => {
  const events: string[] = [];
  const fleet = new Fleet({
    size: 1,
    drainMs: 0,
    logger: { info() {}, warn() {}, error() {} },
    startMessage: () => ({ kind: 'drain' }),
    onMessage: ({ kind }) => void events.push(kind),
    onWorkerExit: (worker) => events.push(`worker ${worker} exited`),
    onReadyChange: () => {},
    onReplacement: () => {},
    onStall: () => {},
    onCrashLoop: () => {},
  });
  const worker = Object.assign(new EventEmitter(), { id: 7, isConnected: () => true }) as unknown as Worker;
  cluster.emit('exit', worker, 0, '');
  cluster.emit('message', worker, { kind: 'metrics-response', snapshot: [] }, undefined);
  worker.emit('disconnect');
  expect(events).toEqual(['metrics-response', 'worker 7 exited']);
  expect(fleet.alive).toBe(0);
});
