/** Figures of several rounds, and how they are written. */

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median, and from where to where the rounds went. */
export const spread = (values: readonly number[], decimals: number): string =>
  `${median(values).toFixed(decimals)} (${Math.min(...values).toFixed(decimals)} to ${Math.max(...values).toFixed(decimals)})`;

/** Round by round, so that what slowed down a whole round counts for nothing; the median of that. */
export const ratio = (above: readonly number[], below: readonly number[]): number =>
  median(above.map((value, round) => value / below[round]!));

/** A row of a table of goals: what, measured, goal, whether it is met by the figure as it is told. */
export function goal(what: string, measured: number, sign: '≤' | '≥' | '<', bound: number, unit = ''): string[] {
  const told = Number(measured.toFixed(2));
  const isMet = { '≤': told <= bound, '≥': told >= bound, '<': told < bound }[sign];
  return [what, `${told.toFixed(2)}${unit}`, `${sign} ${bound}${unit}`, isMet ? 'met' : '**not met**'];
}

export const goalsHead = ['figure', 'measured', 'goal', ''];
