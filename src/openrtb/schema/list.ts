/** Arrays whose items are judged one by one after the array itself, those that are plainly valid without Joi. */
import type Joi from 'joi';
import { compile } from '../fast-path/compile.ts';
import { setItem } from '../fast-path/item-of.ts';
import { createCheckContext } from '../fast-path/check-context.ts';
import { joiPreferences } from '../joi-preferences.ts';
import { array } from './rules.ts';

/**
 * Joi's own `items()` goes before the limits of the array and costs microseconds an item, so that one body could keep a
 * worker busy for half a second.
 */
export function list(item: Joi.Schema, limits?: { min?: number; max?: number }) {
  const schema = item.prefs(joiPreferences);
  const { accepts } = compile(item);
  const judgeItems: Joi.CustomValidator<unknown[]> = (values, helpers) => {
    const judged = [...values];
    const pass = createCheckContext(helpers.prefs.context!);
    for (const [index, given] of values.entries()) {
      if (accepts(given, pass)) continue;
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
  setItem(judgeItems, item);
  let whole = array();
  if (limits?.min !== undefined) whole = whole.min(limits.min);
  if (limits?.max !== undefined) whole = whole.max(limits.max);
  return whole.custom(judgeItems);
}
