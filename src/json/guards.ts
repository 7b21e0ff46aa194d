/** Type guards for parsed JSON. */

export type JsonObject = Record<string, unknown>;

/** A JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null counts as absent. */
export const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

/** A flag that restricts: also one of the wrong type, which must not lift the restriction. */
export const isSet = (flag: unknown): boolean => flag === 1 || flag === '1' || flag === true;

export const isNonEmptyString = (value: unknown): value is string => typeof value === 'string' && value !== '';
