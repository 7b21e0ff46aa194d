/** Workers on one port that count their requests and connections. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../tests/support/redis-server.ts';

/** The primary distributes connections round robin, or the kernel balances over one listening socket per worker. */
export type Listening = 'round robin' | 'reusePort';

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
  await Promise.all(workers.map((worker) => once(worker, 'message'))); // a worker sends its first counts once it listens
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

async function takeCountsOf(worker: Worker): Promise<WorkerCounts> {
  const reported = once(worker, 'message') as Promise<[WorkerCounts]>;
  worker.send('count');
  return (await reported)[0];
}
