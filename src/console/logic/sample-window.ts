/** Keeps the samples of the last 15 minutes and selects from them. */
import type { LiveSample } from '../../contract/console-api.ts';

const windowSeconds = 900;
/** The stream may send more than one sample per second after a delay. */
const maxSamples = 900;

/**
 * Adds samples in the order of their delivery: a reconnected stream or a reloaded history may repeat some. A sample replaces
 * those that are not earlier. After the clock of the exchange was set back, these have times that have not come yet.
 */
export function mergeSamples(samples: LiveSample[], more: LiveSample[]): LiveSample[] {
  const merged = [...samples];
  for (const sample of more) {
    while (merged.length > 0 && merged.at(-1)!.timeMs >= sample.timeMs) merged.pop();
    merged.push(sample);
  }
  return lastSeconds(merged, windowSeconds).slice(-maxSamples);
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
