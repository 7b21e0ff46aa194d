/** Workers on one port that count their requests and connections. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../tests/support/redis-server.ts';

/**
 * The primary distributes connections round robin, the workers accept from one listening socket, or the kernel balances
 * over one listening socket per worker.
 */
export type Listening = 'round robin' | 'shared socket' | 'reusePort';

export interface WorkerCounts {
  requests: number;
  /** Connections with at least one request. */
  connections: number;
}

export interface CountingFleet {
  url: string;
  pids: number[];
  /** The counts of each worker since the last call. */
  takeCounts(): Promise<WorkerCounts[]>;
  stop(): Promise<void>;
}

cluster.setupPrimary({ exec: fileURLToPath(new URL('worker.ts', import.meta.url)) });

export async function startFleet(listening: Listening, size: number): Promise<CountingFleet> {
  const port = await freePort();
  const workers = Array.from({ length: size }, () => cluster.fork({ LISTEN: listening, PORT: port }));
  const listens = Promise.all(workers.map((worker) => once(worker, 'message'))); // with its first counts
  if (listening === 'shared socket') await shareSocket(workers, port);
  await listens;
  return {
    url: `http://127.0.0.1:${port}/`,
    pids: workers.map((worker) => worker.process.pid!),
    takeCounts: () => Promise.all(workers.map(takeCountsOf)),
    stop: async () => {
      const exited = Promise.all(workers.map((worker) => once(worker, 'exit')));
      for (const worker of workers) worker.kill();
      await exited;
    },
  };
}

/** As node:cluster does without round robin, which one process cannot use beside it. */
async function shareSocket(workers: readonly Worker[], port: number): Promise<void> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  await Promise.all(
    workers.map((worker) => new Promise<void>((resolve) => worker.send('listen', server, () => resolve()))),
  );
  server.close();
}

async function takeCountsOf(worker: Worker): Promise<WorkerCounts> {
  const reported = once(worker, 'message') as Promise<[WorkerCounts]>;
  worker.send('count');
  return (await reported)[0];
}
