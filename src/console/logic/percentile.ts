/** Estimates percentiles from a histogram with cumulative counts. */

export interface Histogram {
  /** Upper bounds, ascending; null is infinity. */
  le: (number | null)[];
  /** Values up to each bound. */
  counts: number[];
}

/** Interpolates within the bucket, as PromQL does; null without values. `quantile` is 0 to 1. */
export function percentile({ le, counts }: Histogram, quantile: number): number | null {
  const total = counts.at(-1) ?? 0;
  if (total === 0) return null;
  const rank = quantile * total;
  const index = counts.findIndex((count) => count >= rank);
  const upper = le[index] ?? null;
  const lower = index > 0 ? (le[index - 1] ?? 0) : 0;
  if (upper === null) return lower;
  const below = index > 0 ? counts[index - 1]! : 0;
  const inBucket = counts[index]! - below;
  return inBucket === 0 ? upper : lower + ((upper - lower) * (rank - below)) / inBucket;
}

/** The count of each bucket alone. */
export const bucketCounts = ({ counts }: Histogram): number[] =>
  counts.map((count, index) => count - (index > 0 ? counts[index - 1]! : 0));

/** Histograms with other bounds are replaced by the newer one: bounds change only with a restart. */
export function addHistograms(sum: Histogram | undefined, more: Histogram): Histogram {
  if (!sum || sum.le.length !== more.le.length) return { le: more.le, counts: [...more.counts] };
  return { le: sum.le, counts: sum.counts.map((count, index) => count + (more.counts[index] ?? 0)) };
}
