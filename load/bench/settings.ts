/** Duration and intensity of the benchmarks. */

/** Short rounds are for trying things out. In long rounds, the conditions of the compared servers drift apart. */
export const roundSeconds = wholeSeconds('BENCH_SECONDS', 4);
/** Until V8 has optimised the code: the first thousands of requests of a worker take more CPU time than later ones. */
export const warmUpSeconds = Math.max(roundSeconds, 12);
export const rounds = 6;
export const connections = 64;

/** Whole, because wrk accepts only whole seconds. */
export function wholeSeconds(variable: string, defaultSeconds: number): number {
  const value = process.env[variable] || String(defaultSeconds);
  if (/^[1-9]\d*$/.test(value)) return Number(value);
  process.stderr.write(`${variable} must be a whole number of seconds; got ${value}\n`);
  process.exit(2);
}
