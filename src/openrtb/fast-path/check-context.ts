/** One value's way through the compiled check. */

/** Stands in for Joi's helpers where a rule of ours is asked: an error is not worded, only told apart from the value. */
export interface CheckContext {
  error: () => symbol;
  prefs: { context: object };
}

/** What no rule returns for a value that it accepts. */
const rejected = Symbol('rejected');
const reject = () => rejected;

export const createCheckContext = (context: object): CheckContext => ({ error: reject, prefs: { context } });

/** True for what is certainly valid; false for all else, which may be valid too. Members that are null are removed. */
export type Accepts = (value: unknown, pass: CheckContext) => boolean;
