/** Milliseconds with three decimals. */
export const roundToMicros = (ms: number): number => Math.round(ms * 1000) / 1000;
