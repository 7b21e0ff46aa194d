/** The entry point of every process: starts the primary or a worker. */
import cluster from 'node:cluster';
import { initStandardStreams, stderr } from './observe/standard-streams.ts';

initStandardStreams();

if (cluster.isPrimary) {
  await import('./fleet/signals.ts'); // first: a signal may arrive while the other modules load
  const { readConfigOrExit } = await import('./config/config.ts');
  const { runPrimary } = await import('./primary.ts');
  await runPrimary(readConfigOrExit((lines) => stderr.write(lines)));
} else {
  const { compileEarly } = await import('./warm-up/compile-early.ts');
  compileEarly();
  const { runWorker } = await import('./worker.ts');
  await runWorker();
}
