/** Workers on one port, among which connections are shared out in one way or the other. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../tests/support/redis-server.ts';

/** By the primary in turn, or by the kernel over sockets of the workers' own. */
export type Listening = 'round robin' | 'reusePort';

export interface Count {
  requests: number;
  /** Those that brought requests. */
  connections: number;
}

export interface CountingFleet {
  url: string;
  pids: number[];
  /** Of each worker, since they were asked last. */
  counts(): Promise<Count[]>;
  end(): Promise<void>;
}

cluster.setupPrimary({ exec: fileURLToPath(new URL('worker.ts', import.meta.url)) });

export async function startFleet(listening: Listening, size: number): Promise<CountingFleet> {
  const port = await freePort();
  const workers = Array.from({ length: size }, () => cluster.fork({ LISTEN: listening, PORT: port }));
  await Promise.all(workers.map((worker) => once(worker, 'message'))); // the first count is from when it listens
  return {
    url: `http://127.0.0.1:${port}/`,
    pids: workers.map((worker) => worker.process.pid!),
    counts: () => Promise.all(workers.map(countOf)),
    end: async () => {
      const ended = Promise.all(workers.map((worker) => once(worker, 'exit')));
      for (const worker of workers) worker.kill();
      await ended;
    },
  };
}

async function countOf(worker: Worker): Promise<Count> {
  const told = once(worker, 'message') as Promise<[Count]>;
  worker.send('count');
  return (await told)[0];
}
