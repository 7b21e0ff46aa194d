/** Validates with Joi what the fast path did not accept. */
import type Joi from 'joi';
import { isObject } from '../../json/guards.ts';
import { type Collecting, inSchemaOrder, missedRules, type ObjectDescription } from './collected-errors.ts';
import type { BrokenRule } from '../field-errors.ts';
import { joiPreferences } from './rules.ts';

/**
 * Joi copies every object with all its members, and a caller can send tens of thousands of unknown ones. So Joi first sees
 * the known members alone, which is enough to find the error. It sees the whole value only if there is none.
 */
export function validateWithJoi<T>(
  schema: Joi.Schema<T>,
): (value: unknown, context?: Joi.Context) => Joi.ValidationResult<T> {
  const prepared = schema.prefs(joiPreferences);
  const description = schema.describe();
  return (value, context = {}) => {
    const result = prepared.validate(knownMembers(value, description), { context });
    return result.error ? result : prepared.validate(value, { context });
  };
}

/** All broken rules of a value, in the order of the schema. */
export function collectWithJoi(schema: Joi.Schema): (value: unknown, context: Joi.Context) => BrokenRule[] {
  const prepared = schema.prefs({ ...joiPreferences, abortEarly: false });
  const description = schema.describe();
  return (value, context) => {
    const collecting: Joi.Context & Collecting = { ...context, collected: [] };
    const known = knownMembers(value, description);
    const { error } = prepared.validate(known, { context: collecting });
    const details: readonly BrokenRule[] = error?.details ?? [];
    // The size of a list, then its items, then the rules about all of them.
    const found = [...details.filter(isSize), ...collecting.collected!, ...details.filter((rule) => !isSize(rule))];
    // Joi knows nothing of the errors that lists have collected.
    return inSchemaOrder([...found, ...missedRules(known, description, details)], description);
  };
}

const isSize = ({ type }: BrokenRule): boolean => type === 'array.min' || type === 'array.max';

/** The value without the members that the schema does not name. Items of lists are left as they are. */
function knownMembers(value: unknown, { keys }: ObjectDescription): unknown {
  if (!keys || !isObject(value)) return value;
  const known: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(keys)) {
    if (Object.hasOwn(value, key)) known[key] = knownMembers(value[key], member);
  }
  return known;
}
