/** Lists the fields of a JSON Schema with their types and bounds. */
import { asArray, asObject, asString, type JsonObject } from '../../json/read-values.ts';
import { resolveReference as resolve } from './resolve-reference.ts';

export interface Field {
  path: string;
  type: string;
  isRequired: boolean;
  /** For people: "0 to 1", "at most 512 characters". */
  bounds: string[];
  description: string;
}

/** A schema may contain itself; objects nested deeper are named but not listed. */
const maxDepth = 10;
const maxFields = 2_000;

export function listFields(root: JsonObject, schema: unknown): Field[] {
  const fields: Field[] = [];
  addFields(root, resolve(root, schema), { prefix: '', depth: 0, fields });
  return fields;
}

interface Progress {
  prefix: string;
  depth: number;
  fields: Field[];
}

function addFields(root: JsonObject, schema: JsonObject, { prefix, depth, fields }: Progress): void {
  if (depth > maxDepth) return;
  for (const part of [...asArray(schema.allOf), ...asArray(schema.anyOf), ...asArray(schema.oneOf)])
    addFields(root, resolve(root, part), { prefix, depth: depth + 1, fields });
  const required = asArray(schema.required);
  for (const [name, value] of Object.entries(asObject(schema.properties))) {
    const property = resolve(root, value);
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (fields.length >= maxFields || fields.some((field) => field.path === path)) continue;
    fields.push(describe(property, path, required.includes(name), asString(asObject(value).description)));
    addFields(root, property, { prefix: path, depth: depth + 1, fields });
  }
  if (schema.items !== undefined)
    addFields(root, resolve(root, schema.items), { prefix: `${prefix}[]`, depth: depth + 1, fields });
}

const describe = (schema: JsonObject, path: string, isRequired: boolean, description: string): Field => ({
  path,
  type: typeOf(schema),
  isRequired,
  bounds: boundsOf(schema),
  description: description || asString(schema.description),
});

function typeOf(schema: JsonObject): string {
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (typeof schema.type === 'string') return schema.type;
  if (schema.properties !== undefined) return 'object';
  return schema.items === undefined ? 'any' : 'array';
}

const units: [suffix: string, unit: string][] = [
  ['Length', 'character'],
  ['Items', 'item'],
  ['Properties', 'member'],
];

function boundsOf(schema: JsonObject): string[] {
  const values = 'const' in schema ? [schema.const] : asArray(schema.enum);
  const bounds = [range(schema.minimum, schema.maximum, '')];
  for (const [suffix, unit] of units) bounds.push(range(schema[`min${suffix}`], schema[`max${suffix}`], ` ${unit}`));
  if (typeof schema.exclusiveMinimum === 'number') bounds.push(`more than ${schema.exclusiveMinimum}`);
  if (typeof schema.exclusiveMaximum === 'number') bounds.push(`less than ${schema.exclusiveMaximum}`);
  if (typeof schema.pattern === 'string') bounds.push(`matches ${schema.pattern}`);
  if (typeof schema.format === 'string') bounds.push(schema.format);
  if (values.length > 0) bounds.push(`one of ${values.map((value) => JSON.stringify(value)).join(', ')}`);
  return bounds.filter((bound) => bound !== '');
}

function range(min: unknown, max: unknown, unit: string): string {
  const withUnit = (value: number) => `${value}${unit}${unit === '' || value === 1 ? '' : 's'}`;
  if (typeof min === 'number' && typeof max === 'number')
    return min === max ? withUnit(min) : `${min} to ${withUnit(max)}`;
  if (typeof min === 'number') return `at least ${withUnit(min)}`;
  return typeof max === 'number' ? `at most ${withUnit(max)}` : '';
}
