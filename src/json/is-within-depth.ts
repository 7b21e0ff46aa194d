/** Bounds the nesting of parsed JSON, so that what follows may be recursive. A value that is no object or array has depth 0. */
export function isWithinDepth(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isWithinDepth(depth - 1, item)) return false;
  } else {
    for (const name in value) if (!isWithinDepth(depth - 1, value[name as keyof typeof value])) return false;
  }
  return true;
}
