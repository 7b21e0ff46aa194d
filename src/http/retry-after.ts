/** The seconds after which clients of an overloaded worker may return: spread, so that they do not all return at once. */

const maxSeconds = 3;
let count = 0;

export const nextRetryAfter = (): number => 1 + (count++ % maxSeconds);
