/** The clocks of the limits: both run evenly, whatever is done to the machine's time of day. */
import type { LimitClocks } from './shared-rate-limiter.ts';

const originMicros = performance.timeOrigin * 1000;

/** Microseconds of the epoch, as a whole number. */
export const epochMicros = (): number => Math.round(originMicros + performance.now() * 1000);

export const clocks: LimitClocks = { nowMs: () => performance.now(), nowMicros: epochMicros };
