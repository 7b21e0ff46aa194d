/** The configuration at the start: without a usable one the process ends, with every problem listed. */
import type { Config } from './config.ts';
import { BadConfiguration } from './problems.ts';
import { readConfig } from './read-config.ts';

/** EX_CONFIG of sysexits.h. */
const exitBadConfiguration = 78;

export function configure(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof BadConfiguration)) throw error;
    process.stderr.write(`gavel: ${error.message}\n${error.problems.map((problem) => `  - ${problem}\n`).join('')}`);
    process.exit(exitBadConfiguration);
  }
}
