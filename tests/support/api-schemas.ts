/** Validators for the schemas of docs/openapi.json. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../docs/generate/openapi/json-schema.ts';

export interface ApiOperation {
  tags: string[];
  responses: Record<
    string,
    { headers?: Record<string, { $ref: string }>; content?: Record<string, { schema: JsonSchema }> }
  >;
}

export interface Api {
  paths: Record<string, Record<'get' | 'post', ApiOperation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    headers: Record<string, { schema: JsonSchema; required?: boolean }>;
  };
}

export const readApi = (): Api =>
  JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as Api;

/** Where the references of the description point to. */
const base = 'https://gavel.example/openapi.json';

/** Compiles schemas that may refer to `components`. */
export class ApiSchemas {
  readonly #ajv = new Ajv2020({
    // format is an annotation, as in JSON Schema by default.
    validateFormats: false,
    // A keyword may be beside the $ref or the if that has the type.
    strictTypes: false,
    strictRequired: false,
  });

  constructor(components: object) {
    this.#ajv.addVocabulary(['components', 'x-rules-beyond-schema']);
    this.#ajv.removeKeyword('contentSchema');
    this.#ajv.addKeyword({
      keyword: 'contentSchema',
      type: 'string',
      compile: (schema: JsonSchema) => {
        let validate: ValidateFunction | undefined;
        return (text: string) => isJson(text) && (validate ??= this.compile(schema))(JSON.parse(text));
      },
    });
    this.#ajv.addSchema({ $id: base, components });
  }

  /** `$ref` in the schema is relative to the description. */
  compile(schema: JsonSchema): ValidateFunction {
    return this.#ajv.compile(absolute(schema) as JsonSchema);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      key,
      key === '$ref' ? `${base}${member as string}` : absolute(member),
    ]),
  );
}

/** The schema with no other members than it lists: what the exchange sends must be described. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([key, member]) => [key, closed(member)]));
  return 'properties' in schema && 'type' in schema ? { ...members, additionalProperties: false } : members;
}
