/** Extended identifiers (`eids`) wherever they stand in a request: senders put them in many places beside `user`. */
import { isObject, type JsonObject } from '../json/guards.ts';
import { copyWith } from './replace-fields.ts';
import { copyStart } from '../json/copy-start.ts';

const name = 'eids';

/** Returns a copy that shares its unchanged parts, or the same value if there are none. Recursive: the depth of a request is bounded. */
export function withoutEids<T>(value: T): T {
  if (Array.isArray(value)) return withoutEidsOfItems(value as unknown[]) as T;
  return isObject(value) ? (withoutEidsOfMembers(value) as T) : value;
}

function withoutEidsOfItems(items: unknown[]): unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const cleaned = withoutEids(items[index]);
    if (cleaned !== items[index]) (copy ??= [...items])[index] = cleaned;
  }
  return copy ?? items;
}

function withoutEidsOfMembers(object: JsonObject): JsonObject {
  let replaced: Map<string, unknown> | undefined;
  for (const member of Object.keys(object)) {
    const value = object[member];
    if (typeof value !== 'object' && member !== name) continue; // most members: a text or a number
    const cleaned = member === name ? undefined : withoutEids(value);
    if (cleaned !== value && value !== null) (replaced ??= new Map<string, unknown>()).set(member, cleaned);
  }
  return replaced ? copyWith(object, replaced) : object;
}

/** A report with more places is cut. */
const maxPlaces = 20;
const maxPathLength = 200;

/** The paths of the first ones, such as `imp[0].ext.eids`. */
export function findEids(request: object): string[] {
  const places: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (places.length >= maxPlaces) return;
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, `${path}[${index}]`);
    else if (isObject(value)) {
      for (const [member, inner] of Object.entries(value)) {
        const at = path === '' ? member : `${path}.${member}`;
        if (member !== name) visit(inner, at);
        else if (inner !== null) places.push(copyStart(at, maxPathLength));
      }
    }
  };
  visit(request, '');
  return places.slice(0, maxPlaces);
}
