/** Starts the process of a worker, which fails where descriptors, processes or memory are used up, or the executable is gone. */
import cluster, { type Worker } from 'node:cluster';
import { workerEnvironment } from './worker-environment.ts';

/** There is no process: no worker will exit. `cause` is the reason. */
export class SpawnError extends Error {
  constructor(cause: unknown) {
    super(`cannot start a worker process: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** If there is no process, the worker emits `error` in the next tick, and never `exit`. An error without a listener ends the primary. */
export function forkProcess(): Worker {
  let worker: Worker;
  try {
    worker = cluster.fork(workerEnvironment(process.env));
  } catch (error) {
    throw new SpawnError(error);
  }
  if (!hasProcess(worker)) delete cluster.workers?.[worker.id];
  return worker;
}

export const hasProcess = (worker: Worker): boolean => worker.process.pid !== undefined;
