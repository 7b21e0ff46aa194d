/** Where every process starts: it becomes the primary, or one of its workers. */
import cluster from 'node:cluster';

if (cluster.isPrimary) {
  await import('./fleet/termination-signals.ts'); // before all else: it can be told to end while the rest is being loaded
  const { configure } = await import('./config/configure.ts');
  const { runPrimary } = await import('./primary.ts');
  await runPrimary(configure());
} else {
  const { runWorker } = await import('./worker.ts');
  await runWorker();
}
