/** Ends the lines of a plot where samples are missing. */

export type Values = (number | null)[];

/** The exchange takes a sample per second. */
const maxStepMs = 3_000;

/** Adds a row of nulls after each time that is followed by missing samples. The rows are the times and their values. */
export function withGaps(times: number[], series: Values[]): { times: number[]; series: Values[] } {
  const ends = times.flatMap((ms, index) => (times[index + 1]! - ms > maxStepMs ? [index] : []));
  if (ends.length === 0) return { times, series };
  return {
    times: insertAfter(times, ends, (index) => times[index]! + 1_000),
    series: series.map((values) => insertAfter(values, ends, () => null)),
  };
}

function insertAfter<Value>(values: Value[], indexes: number[], valueOf: (index: number) => Value): Value[] {
  const after = new Set(indexes);
  return values.flatMap((value, index) => (after.has(index) ? [value, valueOf(index)] : [value]));
}
