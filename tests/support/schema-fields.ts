/** Lists the fields of a Joi schema with their limits, from the schema's description. */
import type { Description, Schema } from 'joi';
import { itemSchemaOf } from '../../src/openrtb/fast-path/compile.ts';

export interface Field {
  /** `imp[].native.api[]`: members by name, array elements by `[]`. */
  path: string;
  type: string;
  required: boolean;
  /** On the value of a number, on the length of a string or an array. */
  limits: { rule: 'min' | 'max' | 'precision'; limit: number }[];
  integer: boolean;
  /** Whether a pattern or a custom rule can reject a value of the right type. */
  hasRule: boolean;
}

interface Rule {
  name: string;
  args?: { limit?: number; method?: object };
}

export function readFields(schema: Schema): Field[] {
  return [...walk(schema.describe(), '')];
}

/** The rule of a list applies to its items, not to the array. */
const isValueRule = ({ name, args }: Rule): boolean =>
  name === 'pattern' || (name === 'custom' && !(args?.method && itemSchemaOf(args.method)));

function* walk(description: Description, path: string): Generator<Field> {
  const rules = (description.rules ?? []) as Rule[];
  const { presence } = (description.flags ?? {}) as { presence?: string };
  yield {
    path,
    type: description.type!,
    required: presence === 'required',
    limits: rules.flatMap(({ name, args }) =>
      (name === 'min' || name === 'max' || name === 'precision') && typeof args?.limit === 'number'
        ? [{ rule: name, limit: args.limit }]
        : [],
    ),
    integer: rules.some(({ name }) => name === 'integer'),
    hasRule: path !== '' && rules.some(isValueRule),
  };
  for (const [key, child] of Object.entries((description.keys ?? {}) as Record<string, Description>)) {
    yield* walk(child, path === '' ? key : `${path}.${key}`);
  }
  for (const { args } of rules) {
    const item = args?.method && itemSchemaOf(args.method);
    if (item) yield* walk(item.describe(), `${path}[]`);
  }
}

/** Every value at a path such as `imp[].native.api[]`. */
export function valuesAt(root: unknown, path: string): unknown[] {
  let values: unknown[] = [root];
  for (const step of path.match(/[^.[\]]+|\[\]/g) ?? []) {
    values = values.flatMap((value) => {
      if (step === '[]') return Array.isArray(value) ? (value as unknown[]) : [];
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
      const member = (value as Record<string, unknown>)[step];
      return member === undefined || member === null ? [] : [member];
    });
  }
  return values;
}
