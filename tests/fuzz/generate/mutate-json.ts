/** Mutations of parsed JSON: extreme values, wrong types, long texts, many entries, deep nesting, missing members. */
import type { Random } from './random.ts';
import { anyText } from './text.ts';

/** An array, too: its keys are its indices. */
type Container = Record<string, unknown>;

const scalars = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  2,
  0.5,
  1e-7,
  255,
  256,
  50,
  51,
  10_001,
  65_536,
  2 ** 31,
  2 ** 53,
  1e300,
  -1e300,
  '',
  ' ',
  '1',
  'null',
  '{}',
  '[]',
  '__proto__',
  '1.2',
  '1.20',
  'a',
  '\ud800',
  '{"native":{}}',
  'https://a.example/',
];

/**
 * `json` parsed, changed at one to four random places and encoded again. A string that contains a JSON object is changed
 * inside. Texts and lists grow up to `maxText` characters and `maxItems` entries.
 */
export function mutateJson(random: Random, json: string, maxText: number, maxItems: number): string {
  const root = { root: JSON.parse(json) as unknown };
  for (let left = random.between(1, 4); left > 0; left--) mutateInside(random, root, maxText, maxItems);
  return encode(root.root);
}

function mutateInside(random: Random, start: Container, maxText: number, maxItems: number): void {
  let owner: Container = start;
  for (;;) {
    const keys = Object.keys(owner);
    if (keys.length === 0) return;
    const key = random.pick(keys);
    const value = owner[key];
    if (isContainer(value) && !isEmpty(value) && random.chance(0.85)) {
      owner = value;
      continue;
    }
    if (typeof value === 'string' && value.startsWith('{') && random.chance(0.85)) {
      owner[key] = mutateText(random, value, maxText, maxItems);
      return;
    }
    mutateMember(random, owner, key, maxText, maxItems);
    return;
  }
}

function mutateText(random: Random, json: string, maxText: number, maxItems: number): string {
  try {
    return mutateJson(random, json, maxText, maxItems);
  } catch {
    return anyText(random, maxText); // an earlier mutation has broken it
  }
}

function mutateMember(random: Random, owner: Container, name: string, maxText: number, maxItems: number): void {
  const value = owner[name];
  switch (random.below(7)) {
    case 0:
      delete owner[name];
      break;
    case 1:
      owner[name] = random.pick(scalars);
      break;
    case 2:
      owner[name] = anyText(random, maxText);
      break;
    case 3:
      owner[name] = nested(random, value, random.length(1_000));
      break;
    case 4:
      multiply(random, owner, value, maxItems);
      break;
    case 5:
      owner[name] = close(random, value);
      break;
    default:
      owner[random.chance(0.5) ? anyText(random, 40) : name] = isContainer(value) ? random.pick(scalars) : [value];
  }
}

/** A value of the same type that may still be valid. */
function close(random: Random, value: unknown): unknown {
  if (typeof value === 'number') return random.pick([value + 1, value - 1, -value, value * 10, value + 0.01]);
  if (typeof value === 'string') return random.pick([`${value}x`, value.slice(1), value.repeat(4), ` ${value}`]);
  return value;
}

function nested(random: Random, value: unknown, depth: number): unknown {
  let result = value;
  for (let level = 0; level < depth; level++) result = random.chance(0.5) ? [result] : { a: result };
  return result;
}

/** Many copies of a value beside it. Copies of an object differ in their `id`, so that they count as distinct. */
function multiply(random: Random, owner: Container, value: unknown, maxItems: number): void {
  const times = Math.min(random.length(maxItems), Math.floor(maxCopiedLength / lengthOf(value)));
  const isDistinct = random.chance(0.7);
  const text = isContainer(value) ? encode(value) : undefined;
  for (let copy = 0; copy < times; copy++) {
    const same: unknown = text === undefined ? value : JSON.parse(text); // a later mutation changes one copy only
    const item = isDistinct ? distinct(same, copy) : same;
    if (Array.isArray(owner)) owner.push(item);
    else owner[`${copy}`] = item;
  }
}

/** All copies of one mutation together: four mutations must not multiply each other beyond what a body can hold. */
const maxCopiedLength = 200_000;

/** About the length of the JSON text. Counts no further than the limit. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 8;
  if (!isContainer(value)) return 8;
  let length = 8;
  for (const member of Object.values(value)) {
    length += lengthOf(member);
    if (length > maxCopiedLength) break;
  }
  return length;
}

function distinct(value: unknown, copy: number): unknown {
  if (isContainer(value) && !Array.isArray(value)) return { ...value, id: 1_000 + copy };
  return typeof value === 'string' ? value + String(copy) : copy;
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;
const isEmpty = (value: Container): boolean => Object.keys(value).length === 0;

function encode(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return '[]'; // nested too deeply for JSON.stringify
  }
}
