/** Options of Node.js and environment variables of the workers, for their memory. */

/** By default glibc has an arena per thread, and the threads of V8 leave each of them fragmented (decision 32). */
const maxMallocArenas = '1';

/** In addition to the environment of the primary; what the operator sets stays. */
export const workerEnvironment = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  environment.MALLOC_ARENA_MAX === undefined ? { MALLOC_ARENA_MAX: maxMallocArenas } : {};

/**
 * In addition to those of the primary, which win. V8 would wait for the threads that help it to collect the young generation, and where all cores are busy
 * they wait for a core (decision 36).
 */
export const workerOptions = (options: readonly string[]): string[] => ['--no-parallel-scavenge', ...options];
