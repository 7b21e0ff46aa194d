/** Starts the process of a worker, which fails where descriptors, processes or memory are used up, or the executable is gone. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { workerEnvironment } from './worker-environment.ts';

/** There is no process: no worker will exit. `cause` tells why. */
export class SpawnError extends Error {
  constructor(cause: unknown) {
    super(`cannot start a worker process: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** `onError` gets what goes wrong once the process runs, such as a signal that cannot be sent: without a listener it would end the primary. */
export async function startProcess(onError: (error: Error) => void): Promise<Worker> {
  let worker: Worker;
  try {
    worker = cluster.fork(workerEnvironment(process.env));
  } catch (error) {
    throw new SpawnError(error);
  }
  if (worker.process.pid === undefined) {
    const [error] = (await once(worker, 'error')) as [Error];
    delete cluster.workers?.[worker.id];
    throw new SpawnError(error);
  }
  return worker.on('error', onError);
}
