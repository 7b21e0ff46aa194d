/** Statistics over the rounds of a benchmark, and how they are written. */

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median with the lowest and the highest value. */
export const medianAndRange = (values: readonly number[], decimals: number): string =>
  `${median(values).toFixed(decimals)} (${Math.min(...values).toFixed(decimals)} to ${Math.max(...values).toFixed(decimals)})`;

/** The median of the ratios per round, so that a disturbance of a whole round cancels out. */
export const ratio = (numerators: readonly number[], denominators: readonly number[]): number =>
  median(numerators.map((value, round) => value / denominators[round]!));

export const percent = (share: number): string => `${(share * 100).toFixed(0)}%`;

/** A row of the table of goals. The rounded value decides, so that the table never contradicts itself. */
export function goal(metric: string, measured: number, sign: '≤' | '≥' | '<', bound: number, unit = ''): string[] {
  const rounded = Number(measured.toFixed(2));
  const isMet = { '≤': rounded <= bound, '≥': rounded >= bound, '<': rounded < bound }[sign];
  return [metric, `${rounded.toFixed(2)}${unit}`, `${sign} ${bound}${unit}`, isMet ? 'met' : '**not met**'];
}

export const goalsHead = ['metric', 'measured', 'goal', ''];
