/** Lists and objects: many items or members, distinct, nested deeply, null, or with names that are costly to store. */
import { collidingInteger } from './colliding-integers.ts';
import { distinct, repeated, type WorstValue } from './worst-value.ts';

const value = (name: string, write: (bytes: number, seed: string) => string): WorstValue => ({ name, write });

const list = (name: string, item: (index: number, seed: string) => string): WorstValue =>
  value(name, (bytes, seed) => `[${distinct(bytes - 2, (index) => item(index, seed), ',')}]`);

const nested = (bytes: number, open: string, middle: string, close: string, levels = Infinity): string => {
  const fits = Math.max(1, Math.min(levels, Math.floor((bytes - middle.length) / (open.length + close.length))));
  return open.repeat(fits) + middle + close.repeat(fits);
};

/** Levels that a body may have, below its first ones. */
const allowedLevels = 50;

export const deepValues: readonly WorstValue[] = [
  value('lists nested deeply', (bytes) => nested(bytes, '[', '', ']')),
  value('objects nested deeply', (bytes) => nested(bytes, '{"a":', '0', '}')),
  value('many values nested 50 levels deep', (bytes, seed) => {
    const inner = `[${distinct(bytes - 2 * allowedLevels, (index) => `{"${seed}":${index}}`, ',')}]`;
    return nested(Infinity, '[', inner, ']', allowedLevels);
  }),
];

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));

/** Each index has another order of the letters, as far as there are such. */
function objectInOrder(index: number): string {
  const left = [...letters];
  let rest = index * 7_919 + 1;
  const members = letters.map(() => {
    const [letter] = left.splice(rest % left.length, 1);
    rest = (rest * 31 + index) % 1_000_003;
    return `"${letter}":0`;
  });
  return `{${members.join()}}`;
}

/** Lists of items that fit any schema or none. */
export const lists: readonly WorstValue[] = [
  list('list of nulls', () => 'null'),
  list('list of zeros', () => '0'),
  list('list of distinct numbers', (index) => String(index)),
  list('list of integers with the same place in a Set', (index) => String(collidingInteger(index))),
  list('list of decimals', (index) => `${index}.7`),
  list('list of numbers beyond the largest double', () => '1e400'),
  list('list of numbers that are slow to write', () => '9e-265'),
  list('list of empty texts', () => '""'),
  list('list of distinct texts', (index, seed) => `"${seed}${index}"`),
  list('list of texts of invisible characters', (index, seed) => `"${seed}${index}${'\u007f'.repeat(25)}"`),
  list('list of names of many labels', (index, seed) => `"${seed}${index}${'.a'.repeat(120)}"`),
  list('list of empty objects', () => '{}'),
  list('list of distinct objects', (index, seed) => `{"${seed}${index}":${index}}`),
  list('list of objects with the same names in other orders', (index) => objectInOrder(index)),
  list('list of empty lists', () => '[]'),
  ...deepValues,
];

/** A list of the sample's own item: as given, with another id each, followed by an invalid one, and with null members. */
export function listsOf(sample: unknown): WorstValue[] {
  if (sample === undefined) return [];
  const item = JSON.stringify(sample);
  const isRecord = typeof sample === 'object' && sample !== null && !Array.isArray(sample);
  const members = isRecord ? Object.keys(sample).slice(1) : [];
  const withNulls = `{${members.map((name) => `"${name}":null`).join()}}`;
  const own = [
    list('list of valid items', () => item),
    value('list of valid items, the last one null', (bytes) => `[${distinct(bytes - 7, () => item, ',')},null]`),
    ...(isRecord
      ? [
          list('list of valid items with distinct ids', (index) => writeWithId(sample, index)),
          list('list of items with null members', () => withNulls),
          ...('id' in sample && typeof sample.id === 'number'
            ? [
                list('list of valid items whose ids have the same place in a Map', (index) =>
                  writeWithId(sample, collidingInteger(index)),
                ),
              ]
            : []),
        ]
      : [list('list of distinct items', (index) => (typeof sample === 'number' ? String(index) : `"${index}"`))]),
  ];
  return own.map((worst) => ({ ...worst, isOwn: true }));
}

const writeWithId = (sample: object, index: number): string => {
  const id = 'id' in sample && typeof sample.id === 'number' ? index : `id-${index}`;
  return JSON.stringify({ ...sample, id });
};

/** Members to add to a sample, so that it stays valid. */
const members: readonly WorstValue[] = [
  value('distinct members', (bytes, seed) => distinct(bytes, (index) => `"${seed}${index}":0`, ',')),
  value('distinct long members', (bytes, seed) => distinct(bytes, (i) => `"${seed}${'n'.repeat(100)}${i}":0`, ',')),
  value('distinct non-ASCII members', (bytes, seed) => distinct(bytes, (i) => `"${seed}ж${i}":0`, ',')),
  value('the same member', (bytes, seed) => distinct(bytes, () => `"${seed}":0`, ',')),
  value('members __proto__', (bytes) => distinct(bytes, () => '"__proto__":0', ',')),
  value('nested members __proto__', (bytes, seed) => distinct(bytes, (i) => `"${seed}${i}":{"__proto__":{}}`, ',')),
  value('nested members constructor', (bytes, s) =>
    distinct(bytes, (i) => `"${s}${i}":{"constructor":{"prototype":0}}`, ','),
  ),
  value('escaped members', (bytes) => distinct(bytes, (index) => `"\\u005f${index}":0`, ',')),
  value('numeric members, descending', (bytes) => distinct(bytes, (index) => `"${99_999 - index}":0`, ',')),
  value('numeric members, by a power of two', (bytes) => distinct(bytes, (index) => `"${index * 4096}":0`, ',')),
  value('large numeric members', (bytes) => distinct(bytes, (index) => `"${4_294_967_295 - index * 65_536}":0`, ',')),
  value('null members', (bytes, seed) => distinct(bytes, (index) => `"${seed}${index}":null`, ',')),
  value('members that are empty objects', (bytes, seed) => distinct(bytes, (index) => `"${seed}${index}":{}`, ',')),
  value('a member of nested lists', (bytes) => `"deep":${nested(bytes - 7, '[', '', ']')}`),
  value('a member of lists nested 50 levels deep', (bytes, seed) => {
    const inner = distinct(bytes - 200, (index) => `{"${seed}":${index}}`, ',');
    return `"deep":${nested(Infinity, '[', inner, ']', allowedLevels)}`;
  }),
  value('a member of many trees 50 levels deep', (bytes) => {
    const tree = nested(Infinity, '[', '0', ']', allowedLevels);
    return `"deep":[${distinct(bytes - 10, () => tree, ',')}]`;
  }),
  value('a member that is a long list', (bytes) => `"list":[${repeated(bytes - 12, '0,')}0]`),
  value('a member that is a long text', (bytes, seed) => `"text":"${seed}${repeated(bytes - 16, 'a')}"`),
  value('a member of escaped text', (bytes, seed) => `"text":"${seed}${repeated(bytes - 16, String.raw`\u0001`)}"`),
];

/** The sample's object with more members. */
export function objectsOf(sample: unknown): WorstValue[] {
  const isRecord = typeof sample === 'object' && sample !== null && !Array.isArray(sample);
  const own = isRecord ? JSON.stringify(sample).slice(1, -1) : '';
  const start = own === '' ? '{' : `{${own},`;
  return members.map(({ name, write }) => ({
    name,
    isOwn: true,
    write: (bytes, seed) => `${start}${write(Math.max(8, bytes - start.length - 1), seed)}}`.replace(/,\}$/, '}'),
  }));
}
