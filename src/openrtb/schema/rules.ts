/** The building blocks of the schemas: Joi's types with null as absent, and rules that Joi does not have. */
import Joi from 'joi';

/** No conversion, unknown members allowed, the first error only. The error table holds the texts. */
export const joiPreferences: Joi.ValidationOptions = {
  abortEarly: true,
  allowUnknown: true,
  convert: false,
  errors: { render: false },
};

/** `null` counts as absent everywhere. Any JSON number is a number, however large. */
const base = Joi.defaults((schema) =>
  schema.type === 'number' ? (schema as Joi.NumberSchema).unsafe().empty(null) : schema.empty(null),
);

/** Without this, a string in place of an integer would be reported as "must be a number". */
const asInteger: Joi.ValidationErrorFunction = (errors) => {
  for (const error of errors) if (error.code === 'number.base') error.code = 'integer.base';
  return errors;
};

export const object = <T>(keys?: Joi.PartialSchemaMap<T>): Joi.ObjectSchema<T> => base.object<T>(keys);
export const array = (): Joi.ArraySchema => base.array();
export const number = (): Joi.NumberSchema => base.number();
export const integer = (): Joi.NumberSchema => base.number().integer().error(asInteger);
export const boolean = (): Joi.BooleanSchema => base.boolean();
/** A string that must not be empty. */
export const string = (): Joi.StringSchema => base.string();
/** Any string, the empty one included. */
export const text = (): Joi.StringSchema => base.string().allow('');

const allowedValues = new WeakMap<object, readonly (string | number)[]>();

/** The values that a rule made by `oneOf` allows: in a description the rule is only a function. */
export const allowedValuesOf = (rule: object): readonly (string | number)[] | undefined => allowedValues.get(rule);

/** One of a list of values. Joi's own `valid()` precedes the type check and would report a wrong type as a wrong value. */
export const oneOf = (...allowed: readonly (string | number)[]): Joi.CustomValidator => {
  const values = allowed.join(', ');
  const rule: Joi.CustomValidator = (value: string | number, helpers) =>
    allowed.includes(value) ? value : helpers.error('value.oneOf', { values });
  allowedValues.set(rule, allowed);
  return rule;
};

/** AdCOM's list of API frameworks, and the vendor range. */
export const apiFramework: Joi.CustomValidator<number> = (value, helpers) =>
  (value >= 1 && value <= 9) || value >= 500 ? value : helpers.error('value.apiFramework');

/** `minduration` must not exceed `maxduration` if both are present. While all errors are collected, they may be anything. */
export const durationsInOrder: Joi.CustomValidator<{ minduration?: number; maxduration?: number }> = (
  value,
  helpers,
) => {
  const { minduration, maxduration } = value;
  return typeof minduration === 'number' && typeof maxduration === 'number' && minduration > maxduration
    ? helpers.error('video.durations', { minduration, maxduration })
    : value;
};
