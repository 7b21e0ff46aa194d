/** Limits the nesting of parsed JSON: serializing or copying a value that is nested too deep overflows the stack. */

/** Whether objects and arrays are nested at most `depth` levels. Recurses no deeper than that. */
export const isWithinDepth = (depth: number, value: unknown): boolean =>
  typeof value !== 'object' || value === null || containerIsWithin(depth, value);

function containerIsWithin(depth: number, container: object): boolean {
  if (depth === 0) return false;
  if (Array.isArray(container)) {
    for (const item of container as unknown[])
      if (typeof item === 'object' && item !== null && !containerIsWithin(depth - 1, item)) return false;
    return true;
  }
  for (const name in container) {
    const member = (container as Record<string, unknown>)[name];
    if (typeof member === 'object' && member !== null && !containerIsWithin(depth - 1, member)) return false;
  }
  return true;
}
