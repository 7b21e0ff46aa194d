/** Extended identifiers (`eids`) wherever they stand in a request: senders put them in many places beside `user`. */
import { isObject, type JsonObject } from '../json/guards.ts';
import { copyWith } from './replace-fields.ts';
import { copyStart } from '../json/copy-start.ts';
import { formatPath } from '../openrtb/error-row.ts';

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
  const path: (string | number)[] = [];
  const visitMember = (value: unknown, step: string | number): void => {
    if (typeof value !== 'object' || value === null) return; // most members: a text or a number
    path.push(step);
    visit(value);
    path.pop();
  };
  const visit = (value: object): void => {
    if (places.length >= maxPlaces) return;
    if (Array.isArray(value)) for (let index = 0; index < value.length; index++) visitMember(value[index], index);
    else {
      for (const member of Object.keys(value)) {
        const inner = (value as JsonObject)[member];
        if (member !== name) visitMember(inner, member);
        else if (inner !== null) places.push(copyStart(formatPath([...path, member]), maxPathLength));
      }
    }
  };
  visit(request);
  return places.slice(0, maxPlaces);
}
