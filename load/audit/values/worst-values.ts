/** The worst values for a part: all of its own type, and some of every other type. */
import type { Part } from '../parts.ts';
import { lists, listsOf, objectsOf } from './containers.ts';
import { numbers } from './numbers.ts';
import { texts } from './texts.ts';
import type { WorstValue } from './worst-value.ts';

/** `sample` is the value of the part in the sample; undefined if it has none. */
export function worstValues({ type }: Part, sample: unknown): WorstValue[] {
  const own = { string: texts, number: numbers, array: arrays(sample), object: objectsOf(sample), boolean: [] }[type];
  return own ? [...own, ...others(type)] : [...texts, ...numbers, ...lists, ...objectsOf(sample)];
}

const arrays = (sample: unknown): WorstValue[] => [
  ...lists,
  ...listsOf(Array.isArray(sample) ? (sample as unknown[])[0] : undefined),
];

/** A value of a wrong type may be costly to describe. */
const byType: Record<string, readonly WorstValue[]> = {
  string: pick(texts, 'long text', 'distinct non-ASCII characters'),
  number: pick(numbers, 'many digits'),
  array: pick(lists, 'list of distinct texts', 'lists nested deeply'),
  object: pick(objectsOf(undefined), 'distinct members'),
};

const others = (type: string): WorstValue[] =>
  Object.entries(byType).flatMap(([other, values]) => (other === type ? [] : values));

function pick(values: readonly WorstValue[], ...names: string[]): WorstValue[] {
  return values.filter(({ name }) => names.includes(name));
}
