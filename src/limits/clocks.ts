/** The monotonic clocks of the rate limiter, and the timeout for calls to the shared buckets. */

export interface LimitClocks {
  /** In milliseconds, for durations. */
  nowMs: () => number;
  /** In microseconds since the epoch, for buckets in this process. */
  nowMicros: () => number;
}

const originMicros = performance.timeOrigin * 1000;

/** A whole number. Changes of the system time do not affect it. */
export const epochMicros = (): number => Math.round(originMicros + performance.now() * 1000);

export const clocks: LimitClocks = { nowMs: () => performance.now(), nowMicros: epochMicros };

/**
 * Rejects after `timeoutMs`. If this process itself was blocked for that long, the timer is due and the response may already
 * be in the socket: the timer therefore waits for one `setImmediate`, so that the response is read first.
 */
export async function withTimeout<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const expire = () => timeout.reject(new Error(`no response within ${timeoutMs} ms`));
  const timer = setTimeout(() => setImmediate(expire), timeoutMs);
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
