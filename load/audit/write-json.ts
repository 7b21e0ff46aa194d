/** Writes a sample as JSON with one of its values replaced by given JSON text, which need not be what JSON.stringify writes. */
import { isObject } from '../../src/json/guards.ts';

/** The member of an object by its name, all items of a list, or the value that a string holds as JSON text. */
export type Step = string;
export const items: Step = '[]';
export const decoded: Step = '{}';

/** `imp[].native.request{}.assets[].id` */
export const formatSteps = (steps: readonly Step[]): string =>
  steps.reduce(
    (path, step) => (step === items || step === decoded || path === '' ? path + step : `${path}.${step}`),
    '',
  );

export interface Placement {
  steps: readonly Step[];
  /** The number of items of each list on the way, outermost first. Each is a copy of the sample's first item. */
  copies: readonly number[];
}

/** `valueAt(n)` is the text for the nth place; there is one place per copy. */
export function writeAt(sample: unknown, { steps, copies }: Placement, valueAt: (index: number) => string): string {
  let places = 0;
  const write = (value: unknown, depth: number, lists: number): string => {
    const step = steps[depth];
    if (step === undefined) return valueAt(places++);
    if (step === decoded) return JSON.stringify(write(parse(value), depth + 1, lists));
    if (step === items) {
      const [item] = Array.isArray(value) ? (value as unknown[]) : [];
      return list(copies[lists] ?? 1, (index) => write(withOwnId(item, index), depth + 1, lists + 1));
    }
    const others = Object.entries(isObject(value) ? value : {}).filter(([name]) => name !== step);
    const member = `${JSON.stringify(step)}:${write(isObject(value) ? value[step] : undefined, depth + 1, lists)}`;
    return `{${[...others.map(([name, other]) => `${JSON.stringify(name)}:${JSON.stringify(other)}`), member].join()}}`;
  };
  return write(sample, 0, 0);
}

const list = (length: number, item: (index: number) => string): string =>
  `[${Array.from({ length }, (_, index) => item(index)).join()}]`;

const parse = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : undefined);

/** Impressions, assets and bids must differ in their ids. */
function withOwnId(item: unknown, index: number): unknown {
  if (index === 0 || !isObject(item)) return item;
  if (typeof item.id === 'number') return { ...item, id: item.id + 10 * index };
  return typeof item.id === 'string' ? { ...item, id: `${item.id}-${index}` } : item;
}
