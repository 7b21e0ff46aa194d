/** How long and how hard the benchmarks load. */

/** Shorter ones are for trying things out; longer ones drift apart from those they are held against. */
export const secondsARound = wholeSeconds('BENCH_SECONDS', 4);
export const warmUpSeconds = Math.max(secondsARound, 3);
export const rounds = 6;
export const connections = 64;

/** wrk counts in whole seconds. */
export function wholeSeconds(variable: string, otherwise: number): number {
  const given = process.env[variable] || String(otherwise);
  if (/^[1-9]\d*$/.test(given)) return Number(given);
  process.stderr.write(`${variable} must be a whole number of seconds, not ${given}\n`);
  process.exit(2);
}
