/** Arrays whose items are judged one by one after the array itself, those that are plainly valid without Joi. */
import type Joi from 'joi';
import { joiPreferences } from '../joi-preferences.ts';
import { array } from './rules.ts';

const items = new WeakMap<object, Joi.Schema>();

/** The schema of the items behind the rule of a list, for those who read schemas. */
export const itemOf = (rule: object): Joi.Schema | undefined => items.get(rule);

/**
 * Joi's own `items()` goes before the limits of the array and costs microseconds an item, so that one body could keep a
 * worker busy for half a second. `isPlain` says of an item that it is valid as it stands; all others are left to Joi.
 */
export function list(item: Joi.Schema, isPlain: (value: unknown) => boolean, limits?: { min?: number; max?: number }) {
  const schema = item.prefs(joiPreferences);
  const judgeItems: Joi.CustomValidator<unknown[]> = (values, helpers) => {
    const judged = [...values];
    for (const [index, given] of values.entries()) {
      if (isPlain(given)) continue;
      const { value, error } = schema.validate(given, { context: helpers.prefs.context! });
      const fault = error?.details[0] ?? (value === undefined ? { type: 'array.sparse', path: [] } : undefined);
      if (fault) {
        const state = helpers.state.localize!([...(helpers.state.path as string[]), index, ...fault.path]);
        return helpers.error(fault.type, 'context' in fault ? fault.context : {}, state);
      }
      judged[index] = value;
    }
    return judged;
  };
  items.set(judgeItems, item);
  let whole = array();
  if (limits?.min !== undefined) whole = whole.min(limits.min);
  if (limits?.max !== undefined) whole = whole.max(limits.max);
  return whole.custom(judgeItems);
}

export const isText = (value: unknown): boolean => typeof value === 'string';

/** No item of these is valid before Joi has seen it. */
export const never = (): boolean => false;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** For members that need not be there: absent, or text. */
export const isTextOrAbsent = (value: unknown): boolean => value === undefined || value === null || isText(value);
