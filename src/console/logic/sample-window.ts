/** Keeps the samples of the last 15 minutes and selects from them. */
import type { LiveSample } from '../../contract/console-api.ts';

const maxSamples = 900;

/** Adds samples by time: a reconnected stream or a reloaded history may repeat some. */
export function mergeSamples(samples: LiveSample[], more: LiveSample[]): LiveSample[] {
  const latest = samples.at(-1)?.timeMs ?? -Infinity;
  if (more.length === 1 && more[0]!.timeMs > latest) return [...samples, more[0]!].slice(-maxSamples);
  const byTime = new Map([...samples, ...more].map((sample) => [sample.timeMs, sample]));
  return [...byTime.values()].sort((a, b) => a.timeMs - b.timeMs).slice(-maxSamples);
}

/** The samples of the last `seconds` before the newest one. */
export function lastSeconds(samples: LiveSample[], seconds: number): LiveSample[] {
  const newest = samples.at(-1)?.timeMs ?? 0;
  return samples.filter(({ timeMs }) => timeMs > newest - seconds * 1_000);
}

export function addCounts(counts: Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const count of counts) for (const [name, value] of Object.entries(count)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
}

export const sumOf = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((sum, value) => sum + value, 0);

/** All names that occur, in order of their first occurrence. */
export const namesIn = (counts: Record<string, number>[]): string[] => [
  ...new Set(counts.flatMap((count) => Object.keys(count))),
];
