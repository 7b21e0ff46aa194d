/** How long and how hard the benchmarks load. */

/** Shorter ones are for trying things out; longer ones drift apart from those they are held against. */
export const secondsARound = Number(process.env.BENCH_SECONDS || 4);
export const warmUpSeconds = Math.max(secondsARound, 3);
export const rounds = 6;
export const connections = 64;
