/** The primary: forks the workers, says when they are ready, and ends with them in order. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Config } from './config/config.ts';
import { createLogger } from './observe/logger.ts';

export async function runPrimary(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  let ending = false;

  const end = (signal: string) => {
    if (ending) return;
    ending = true;
    logger.info({ signal }, 'ending');
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
    setTimeout(() => process.exit(1), config.drainMs + 1_000).unref();
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  cluster.on('exit', (worker, code, signal) => {
    if (!ending) logger.error({ worker: worker.id, code, signal }, 'a worker died');
    if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(ending ? 0 : 1);
  });

  const workers = Array.from({ length: config.workers }, () => cluster.fork());
  const ports = await Promise.all(workers.map(listening));
  process.stdout.write(`${readyLine(config, ports[0]!)}\n`);
}

async function listening(worker: Worker): Promise<number> {
  const [address] = (await once(worker, 'listening')) as [{ port: number }];
  return address.port;
}

function readyLine({ endpoint, workers }: Config, port: number): string {
  const host = endpoint.host === '0.0.0.0' ? '127.0.0.1' : endpoint.host;
  return `gavel ready  endpoint=http://${host}:${port}/openrtb2  workers=${workers}`;
}
