/** Finds what to audit: every field of a schema, and every member of a sample. */
import type { Schema } from 'joi';
import { isObject } from '../../src/json/guards.ts';
import { readFields } from '../../tests/support/schema-fields.ts';
import { decoded, formatSteps, items, type Step } from './write-json.ts';

export type PartType = 'string' | 'number' | 'boolean' | 'array' | 'object';

export interface Part {
  steps: readonly Step[];
  type: PartType;
  /** The maximum number of items of each list on the way, outermost first; undefined if there is none. */
  maxItems: readonly (number | undefined)[];
}

export const partName = ({ steps }: Part): string => formatSteps(steps) || 'the whole body';

/** Both the fields of the schema and the members of the samples, each once. Text that holds a JSON object is entered. */
export function findParts(
  schema: Schema | undefined,
  samples: readonly unknown[],
  under: readonly Step[] = [],
): Part[] {
  const parts = new Map<string, Part>();
  const limits = new Map<string, number | undefined>();
  const add = (steps: readonly Step[], type: PartType) => {
    const lists = steps.flatMap((step, at) => (step === items ? [formatSteps(steps.slice(0, at))] : []));
    const name = formatSteps(steps);
    if (!parts.has(name)) parts.set(name, { steps, type, maxItems: lists.map((list) => limits.get(list)) });
  };
  for (const field of schema ? readFields(schema) : []) {
    const steps = [...under, ...(field.path.match(/[^.[\]]+|\[\]/g) ?? [])];
    const max = field.limits.find(({ rule }) => rule === 'max')?.limit;
    if (field.type === 'array') limits.set(formatSteps(steps), max);
    add(steps, field.type as PartType);
  }
  for (const sample of samples) for (const [steps, type] of membersOf(sample, [])) add(steps, type);
  return [...parts.values()];
}

function* membersOf(value: unknown, steps: readonly Step[]): Generator<[readonly Step[], PartType]> {
  const type = Array.isArray(value) ? 'array' : (typeof value as PartType);
  yield [steps, type];
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) yield* membersOf(item, [...steps, items]);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* membersOf(member, [...steps, name]);
  } else if (typeof value === 'string' && value.startsWith('{')) {
    const content: unknown = JSON.parse(value);
    for (const [inner, innerType] of membersOf(content, [])) {
      if (inner.length > 0) yield [[...steps, decoded, ...inner], innerType];
    }
  }
}
