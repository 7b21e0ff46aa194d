/** Which values of a plot have no line to a neighbour. */

/** The indexes of values between two gaps, or between a gap and an end. They are invisible unless they are drawn as points. */
export const isolatedPoints = (values: readonly (number | null | undefined)[]): number[] =>
  values.flatMap((value, index) => {
    const isAlone = (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
    return isAlone && (value ?? null) !== null ? [index] : [];
  });
