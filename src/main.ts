/** Where every process starts: reads the configuration and becomes the primary, or becomes one of its workers. */
import cluster from 'node:cluster';
import type { Config } from './config/config.ts';
import { BadConfiguration } from './config/problems.ts';
import { readConfig } from './config/read-config.ts';
import { runPrimary } from './primary.ts';

/** EX_CONFIG of sysexits.h. */
const exitBadConfiguration = 78;

function configure(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof BadConfiguration)) throw error;
    process.stderr.write(`gavel: ${error.message}\n${error.problems.map((problem) => `  - ${problem}\n`).join('')}`);
    process.exit(exitBadConfiguration);
  }
}

if (cluster.isPrimary) await runPrimary(configure());
else {
  const { runWorker } = await import('./worker.ts');
  await runWorker();
}
