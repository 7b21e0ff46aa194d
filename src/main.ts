/** Where every process starts: reads the configuration, then becomes the primary or one of its workers. */
import cluster from 'node:cluster';
import type { Config } from './config/config.ts';
import { BadConfiguration } from './config/problems.ts';
import { readConfig } from './config/read-config.ts';

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

const config = configure();
if (cluster.isPrimary) {
  const { runPrimary } = await import('./primary.ts');
  await runPrimary(config);
} else {
  const { runWorker } = await import('./worker.ts');
  await runWorker(config);
}
