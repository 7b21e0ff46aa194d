/** Milliseconds with three decimals. */
export const roundToMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000;
