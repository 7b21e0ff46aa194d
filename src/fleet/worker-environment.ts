/** Environment variables of the workers that limit their memory. */

/** By default glibc has an arena per thread, and the threads of V8 leave each of them fragmented (decision 32). */
const maxMallocArenas = '1';

/** In addition to the environment of the primary; what the operator sets stays. */
export const workerEnvironment = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  environment.MALLOC_ARENA_MAX === undefined ? { MALLOC_ARENA_MAX: maxMallocArenas } : {};
