/** Type guards for parsed JSON. */

export type JsonObject = Record<string, unknown>;

/** A JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isNonEmptyString = (value: unknown): value is string => typeof value === 'string' && value !== '';
