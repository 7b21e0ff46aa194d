/** How Joi judges a request: nothing converted, unknown members untouched, the first error only, worded by the table. */
import type Joi from 'joi';
import { fieldErrors, nativeProblems } from './field-errors.ts';

const reasons: Record<string, string> = { ...nativeProblems };
for (const [type, row] of Object.entries(fieldErrors)) {
  if (!type.includes('@')) reasons[type] = row.reason;
}

export const joiPreferences: Joi.ValidationOptions = {
  abortEarly: true,
  allowUnknown: true,
  convert: false,
  errors: { label: false, wrap: { array: false, label: false, string: false } },
  messages: reasons,
};
