/** How many consent strings are remembered: at most some 10 MB for each kind. */
import type { MemoizeLimits } from '../cache/memoize.ts';

export const stringMemory: MemoizeLimits = { maxEntries: 5_000, maxKeyLength: 2_000 };
