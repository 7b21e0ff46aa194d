/** A fleet whose workers are no processes: they do nothing by themselves, and a test emits their events. */
import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { Fleet, type FleetOptions } from '../../src/fleet/fleet.ts';

export const createFleet = (options: Partial<FleetOptions>): Fleet =>
  new Fleet({
    size: 1,
    drainMs: 0,
    logger: { info() {}, warn() {}, error() {} },
    startMessage: () => ({ kind: 'drain' }),
    onMessage: () => undefined,
    onWorkerExit: () => {},
    onReadyChange: () => {},
    onReplacement: () => {},
    onStall: () => {},
    onCrashLoop: () => {},
    ...options,
  });

export function createWorker(id: number): Worker {
  const kill = () => true;
  const process = { pid: 1_000 + id, stdout: new PassThrough(), stderr: new PassThrough(), kill };
  const state = { isDead: () => false, isConnected: () => false };
  return Object.assign(new EventEmitter(), { id, process, ...state }) as unknown as Worker;
}

export const listens = (worker: Worker): boolean => worker.emit('listening', { port: 1 });

export function exits(worker: Worker): void {
  worker.emit('exit', 0, '');
  cluster.emit('exit', worker, 0, '');
}
