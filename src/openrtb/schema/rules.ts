/** The words the schemas are written in: Joi with null as absence, and the rules Joi does not have. */
import Joi from 'joi';
import { memoize } from '../../cache/memoize.ts';

/** `null` counts as absent everywhere; any JSON number is a number, however large. */
const base = Joi.defaults((schema) =>
  schema.type === 'number' ? (schema as Joi.NumberSchema).unsafe().empty(null) : schema.empty(null),
);

export const object = <T>(keys?: Joi.PartialSchemaMap<T>): Joi.ObjectSchema<T> => base.object<T>(keys);
export const array = (): Joi.ArraySchema => base.array();
export const number = (): Joi.NumberSchema => base.number();
export const integer = (): Joi.NumberSchema => base.number().integer();
export const boolean = (): Joi.BooleanSchema => base.boolean();
/** A string under a rule of its own, by which the empty string fails. */
export const string = (): Joi.StringSchema => base.string();
/** A string that may be anything, the empty one included. */
export const text = (): Joi.StringSchema => base.string().allow('');

/** One of a closed list. Joi's own `valid()` looks before the type check and would blame the value of a wrong type. */
export const oneOf = (...allowed: readonly (string | number)[]): Joi.CustomValidator => {
  const values = allowed.join(', ');
  return (value: string | number, helpers) =>
    allowed.includes(value) ? value : helpers.error('value.oneOf', { values });
};

/** AdCOM's list of API frameworks, and the vendor range. */
export const apiFramework: Joi.CustomValidator<number> = (value, helpers) =>
  (value >= 1 && value <= 9) || value >= 500 ? value : helpers.error('value.apiFramework');

/** An absolute https address; URL.canParse alone would mend blanks, slashes and backslashes instead of refusing them. */
const isHttpsUrl = (value: string): boolean =>
  /^https:\/\/(?![/.?#:@])[^\s\\<>"{}|^`]+$/i.test(value) &&
  URL.canParse(value) &&
  !new URL(value).hostname.includes('..');

/** The same few addresses come again and again. */
const judgeHttpsUrl = memoize({ maxEntries: 1_000, maxKeyLength: 500 }, (value) =>
  isHttpsUrl(value) ? 'good' : 'bad',
);

export const httpsUrl: Joi.CustomValidator<string> = (value, helpers) =>
  judgeHttpsUrl(value) === 'good' ? value : helpers.error('value.httpsUrl');

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const domain = new RegExp(`^(?:${label}\\.)+${label}$`);

/** A host name of two labels or more, of any top level but a number: that would be an address. */
export const domainName: Joi.CustomValidator<string> = (value, helpers) =>
  domain.test(value) && !/\.\d+$/.test(value) ? value : helpers.error('string.domain');

const supportedVersions = ['1', '1.0', '1.1', '1.2'];

/** A version of Native Ads: digits and dots, and one that this exchange speaks. */
export const nativeVersion: Joi.CustomValidator<string> = (value, helpers) => {
  if (supportedVersions.includes(value)) return value;
  return helpers.error(/^[\d.]+$/.test(value) ? 'native.versionUnsupported' : 'native.version');
};

/** `minduration` must not exceed `maxduration` where both stand. */
export const durationsInOrder: Joi.CustomValidator<{ minduration?: number; maxduration?: number }> = (
  value,
  helpers,
) =>
  value.minduration !== undefined && value.maxduration !== undefined && value.minduration > value.maxduration
    ? helpers.error('video.durations', { maxduration: value.maxduration })
    : value;
