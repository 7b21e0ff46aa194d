/** How Node.js runs the workers: flags and environment variables that limit their memory. */

/**
 * Half of V8's default, in MiB: most of what a request allocates is garbage when it ends. The default lets the young generation of
 * a worker grow to three times 16 MiB. docs/decisions/0032-memory.md has the measurements.
 */
const maxSemiSpaceMiB = 8;

/** By default glibc has an arena per thread, and the threads of V8 leave each of them fragmented. */
const maxMallocArenas = '1';

const semiSpaceFlag = /(^|\s)--max[-_]semi[-_]space[-_]size/;

/** A size that the operator chose, by NODE_OPTIONS or on the command line, stays. */
export function workerFlags(execArgv: readonly string[], nodeOptions = ''): string[] {
  const isChosen = [nodeOptions, ...execArgv].some((flags) => semiSpaceFlag.test(flags));
  return isChosen ? [...execArgv] : [...execArgv, `--max-semi-space-size=${maxSemiSpaceMiB}`];
}

/** In addition to the environment of the primary. */
export const workerEnvironment = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  environment.MALLOC_ARENA_MAX === undefined ? { MALLOC_ARENA_MAX: maxMallocArenas } : {};
