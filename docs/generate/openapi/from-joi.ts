/** Translates the description of a Joi schema to JSON Schema. What it does not know stops the generation. */
import type Joi from 'joi';
import { itemSchemaOf } from '../../../src/openrtb/fast-path/compile.ts';
import type { RuleDescription } from '../../../src/openrtb/fast-path/generate-check.ts';
import { allowedValuesOf } from '../../../src/openrtb/schema/rules.ts';
import { customRules } from './custom-rules.ts';
import { type JsonSchema, refTo } from './json-schema.ts';

interface SchemaDescription extends Joi.Description {
  flags?: { presence?: string };
  rules?: RuleDescription[];
  keys?: Record<string, SchemaDescription>;
}

/** What a schema has beside its rules. Paths are those of `imp[].native.api[]`; the root is the empty path. */
export interface Annotations {
  /** The paths whose schemas are components, with their names. */
  components: Readonly<Record<string, string>>;
  descriptions: Readonly<Record<string, string>>;
  /** Members that the exchange reads without a rule, by the path of their object. */
  unchecked: Readonly<Record<string, Record<string, JsonSchema>>>;
}

/** The components that describe the schema, by name. */
export function fromJoi(schema: Joi.Schema, annotations: Annotations): Record<string, JsonSchema> {
  const translator = new Translator(annotations);
  translator.translate('', schema.describe(), false);
  return translator.components;
}

class Translator {
  readonly components: Record<string, JsonSchema> = {};
  readonly #annotations: Annotations;

  constructor(annotations: Annotations) {
    this.#annotations = annotations;
  }

  /** Null counts as absent, so it is allowed wherever a member may be absent. */
  translate(path: string, description: SchemaDescription, nullable: boolean): JsonSchema {
    const name = this.#annotations.components[path];
    // The component takes its place before those of its members.
    if (name !== undefined) this.components[name] = {};
    const schema = this.#describe(path, description, nullable);
    if (name === undefined) return schema;
    this.components[name] = schema;
    return refTo(name);
  }

  #describe(path: string, { type, allow, rules = [], keys }: SchemaDescription, nullable: boolean): JsonSchema {
    const schema: JsonSchema = {};
    const { [path]: text } = this.#annotations.descriptions;
    if (text !== undefined) schema.description = text;
    if (type !== 'any') schema.type = nullable ? [type!, 'null'] : type!;
    if (keys) this.#addMembers(schema, path, keys);
    if (type === 'string' && !(allow as unknown[] | undefined)?.includes('')) schema.minLength = 1;
    for (const rule of rules) Object.assign(schema, this.#rule(path, type!, rule));
    if (schema.enum) delete schema.minLength;
    if (nullable && Array.isArray(schema.enum)) schema.enum = [...(schema.enum as unknown[]), null];
    if (schema.integer === true) {
      delete schema.integer;
      schema.type = nullable ? ['integer', 'null'] : 'integer';
    }
    return schema;
  }

  #addMembers(schema: JsonSchema, path: string, keys: Record<string, SchemaDescription>): void {
    const members = Object.entries(keys);
    const isRequired = ({ flags }: SchemaDescription) => flags?.presence === 'required';
    schema.properties = {
      ...Object.fromEntries(
        members.map(([key, member]) => [
          key,
          this.translate(path === '' ? key : `${path}.${key}`, member, !isRequired(member)),
        ]),
      ),
      ...this.#annotations.unchecked[path],
    };
    const required = members.filter(([, member]) => isRequired(member)).map(([key]) => key);
    if (required.length > 0) schema.required = required;
  }

  #rule(path: string, type: string, { name, args = {} }: RuleDescription): JsonSchema {
    if (name === 'custom') return this.#customRule(path, args.method!);
    if (name === 'pattern') return { pattern: /^\/(.*)\/$/s.exec(args.regex!)![1]! };
    const keyword = keywords[type]?.[name];
    if (!keyword) throw new Error(`${path}: no JSON Schema for the rule ${name} of ${type}`);
    return keyword(args.limit as number);
  }

  #customRule(path: string, rule: Joi.CustomValidator): JsonSchema {
    const item = itemSchemaOf(rule);
    if (item) return { items: this.translate(`${path}[]`, item.describe(), false) };
    const values = allowedValuesOf(rule);
    if (values) return { enum: [...values] };
    const schema = customRules[rule.name];
    if (!schema) throw new Error(`${path}: no JSON Schema for the custom rule ${rule.name}`);
    return schema;
  }
}

const keywords: Record<string, Record<string, (limit: number) => JsonSchema>> = {
  string: { max: (limit) => ({ maxLength: limit }) },
  array: { min: (limit) => ({ minItems: limit }), max: (limit) => ({ maxItems: limit }) },
  number: {
    integer: () => ({ integer: true }),
    min: (limit) => ({ minimum: limit }),
    max: (limit) => ({ maximum: limit }),
    // A rule beyond the schema: validators divide binary fractions, so that 0.29 would be no multiple of 0.01.
    precision: () => ({}),
  },
};
