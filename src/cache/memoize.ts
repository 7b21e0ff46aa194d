/** Memoizes a function of one string on a bounded LRU: placements repeat their texts. The least recently used one is evicted. */
import { LRUCache } from 'lru-cache';

/** The two limits together bound the memory. */
export interface MemoizeLimits {
  maxEntries: number;
  /** In UTF-16 units. The result for a longer key is computed every time. */
  maxKeyLength: number;
}

export function memoize<Result extends string | object>(
  { maxEntries, maxKeyLength }: MemoizeLimits,
  compute: (key: string) => Result,
): (key: string) => Result {
  const cache = new LRUCache<string, Result>({ max: maxEntries });
  return (key) => {
    if (key.length > maxKeyLength) return compute(key);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const result = compute(key);
    cache.set(key, result);
    return result;
  };
}
