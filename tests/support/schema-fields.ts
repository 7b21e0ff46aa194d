/** The fields a Joi schema knows and the limits on each, read off its own description. */
import type { Description, Schema } from 'joi';
import { itemOf } from '../../src/openrtb/fast-path/item-of.ts';

export interface Field {
  /** `imp[].native.api[]`: members by name, array elements by `[]`. */
  path: string;
  type: string;
  required: boolean;
  /** Numeric limits: of a number its value, of a string or an array its length. */
  limits: { rule: 'min' | 'max' | 'precision'; limit: number }[];
  integer: boolean;
  /** Whether a pattern, a list or another rule can turn down a value of the right type. */
  ruled: boolean;
}

interface Rule {
  name: string;
  args?: { limit?: number; method?: object };
}

export function readFields(schema: Schema): Field[] {
  return [...walk(schema.describe(), '')];
}

/** A list is no rule on the value of its array, but on those of its items. */
const isRule = ({ name, args }: Rule): boolean =>
  name === 'pattern' || (name === 'custom' && !(args?.method && itemOf(args.method)));

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
    ruled: path !== '' && rules.some(isRule),
  };
  for (const [key, child] of Object.entries((description.keys ?? {}) as Record<string, Description>)) {
    yield* walk(child, path === '' ? key : `${path}.${key}`);
  }
  for (const { args } of rules) {
    const item = args?.method && itemOf(args.method);
    if (item) yield* walk(item.describe(), `${path}[]`);
  }
}

/** Every value that stands at a path such as `imp[].native.api[]`. */
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
