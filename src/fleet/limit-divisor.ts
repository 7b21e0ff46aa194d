/** The number by which each worker of this machine divides the limits in degraded mode. */

/**
 * The machine's share is `size` parts of `total`, the workers on all machines. Only its `ready` workers divide it:
 * the part of a worker that is missing goes to the others of its machine. The shares never add up to more than the limit,
 * because no other machine counts the worker as missing. The exception is a limit below the number of workers: each has at
 * least one token.
 */
export function limitDivisor(total: number, ready: number, size: number): number {
  const serving = Math.min(Math.max(ready, 1), size); // during a rolling restart there is one more
  return (total * serving) / size;
}
