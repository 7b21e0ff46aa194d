/** JSON Schema 2020-12 as OpenAPI 3.1 uses it, and how the schema of a TypeScript interface is written. */

export interface JsonSchema {
  [keyword: string]: unknown;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  description?: string;
  $ref?: string;
}

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];

/**
 * The schema of an object on the wire. The compiler compares it with the interface: a member that is missing, unknown or
 * wrongly optional is an error.
 */
export function objectOf<T>(
  description: string,
  properties: Record<keyof T, JsonSchema>,
  ...[optional]: [OptionalKeys<T>] extends [never] ? [] : [optional: Record<OptionalKeys<T>, 'optional'>]
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !Object.hasOwn(optional ?? {}, name));
  return { type: 'object', description, properties, ...(required.length > 0 && { required }) };
}

export const text = (description: string): JsonSchema => ({ type: 'string', description });
export const number = (description: string): JsonSchema => ({ type: 'number', description });
export const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
export const flag = (description: string): JsonSchema => ({ type: 'boolean', description });
export const oneOf = (values: readonly (string | number)[], description: string): JsonSchema => ({
  type: typeof values[0] === 'number' ? 'integer' : 'string',
  enum: [...values],
  description,
});
export const listOf = (items: JsonSchema, description: string, maxItems?: number): JsonSchema => ({
  type: 'array',
  items,
  description,
  ...(maxItems !== undefined && { maxItems }),
});
export const countsBy = (key: string, description: string): JsonSchema => ({
  type: 'object',
  description: `${description}, by ${key}`,
  additionalProperties: { type: 'integer', minimum: 0 },
});
export const orNull = (schema: JsonSchema): JsonSchema => {
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  const { enum: values } = schema;
  return {
    ...schema,
    type: [schema.type as string, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
};
