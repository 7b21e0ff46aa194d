/** How many consent strings are remembered: at most some 10 MB for each kind. */
import type { MemoryLimits } from '../openrtb/remembering.ts';

export const stringMemory: MemoryLimits = { most: 5_000, longest: 2_000 };
