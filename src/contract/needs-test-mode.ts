/** Which requests the playground puts into test mode. */

/**
 * Whether `test` has to be set to 1 so that no live auction runs: it is absent, null (which counts as absent), or another integer.
 * The bidding endpoint rejects any other value, and its error has to be seen.
 */
export const needsTestMode = (test: unknown): boolean =>
  test === undefined || test === null || (Number.isInteger(test) && test !== 1);
