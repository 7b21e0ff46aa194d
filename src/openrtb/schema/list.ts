/** Arrays with a schema for their items. Items that the fast path accepts are not validated by Joi. */
import type Joi from 'joi';
import { compile, createCheckContext, setItemSchema } from '../fast-path/compile.ts';
import { array } from './rules.ts';
import { maxReportedErrors } from '../../contract/api-limits.ts';
import type { Collecting } from './collected-errors.ts';
import { collectWithJoi, validateWithJoi } from './validate-with-joi.ts';

interface SizeLimits {
  min?: number;
  max: number;
}

/**
 * Checks the size of the array first, then each item. Joi's own `items()` checks the items first and takes microseconds
 * per item, so one body could block a worker for half a second.
 */
export function list(item: Joi.Schema, limits?: SizeLimits): Joi.ArraySchema {
  const required = item.empty().required(); // null is absent as a member, but a wrong type as an item
  const validate = validateWithJoi(required);
  const collect = collectWithJoi(required);
  const { accepts } = compile(item);
  const checkItems: Joi.CustomValidator<unknown[]> = (items, helpers) => {
    const context = helpers.prefs.context!;
    const { collected } = context as Collecting;
    let validated = items;
    const checkContext = createCheckContext(collected ? { ...context, collected: undefined } : context);
    for (let index = 0; index < items.length; index++) {
      if (accepts(items[index], checkContext)) continue;
      if (collected) {
        const rules = collect(items[index], context);
        for (const rule of rules) collected.push({ ...rule, path: [...pathOf(helpers), index, ...rule.path] });
        if (collected.length >= maxReportedErrors) return items;
        continue;
      }
      const { value, error } = validate(items[index], context);
      const broken = error?.details[0];
      if (broken) {
        const path = [...pathOf(helpers), index, ...broken.path];
        return helpers.error(broken.type, broken.context, helpers.state.localize!(path));
      }
      if (validated === items) validated = [...items];
      validated[index] = value;
    }
    return validated;
  };
  setItemSchema(checkItems, item);
  return (limits ? ofSize(limits) : array()).custom(checkItems);
}

const pathOf = ({ state }: Joi.CustomHelpers): (string | number)[] => state.path as (string | number)[];

function ofSize({ min, max }: SizeLimits): Joi.ArraySchema {
  const range = min === undefined ? `at most ${max} items` : `${min} to ${max} items`;
  const schema = min === undefined ? array() : array().min(min);
  return schema.max(max).error((errors) => {
    for (const error of errors) error.local.range ??= range;
    return errors;
  });
}
