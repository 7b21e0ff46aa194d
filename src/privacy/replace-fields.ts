/** Replaces and removes fields of a request object without mutating it. */
import { isObject } from '../json/guards.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Returns a copy with these fields replaced, or removed where undefined. Returns the same object if nothing changes. */
export function replaceFields<T extends object>(object: T, replacements: Fields): T {
  const fields = object as Fields;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(replacements)) {
    const value = replacements[name];
    if (fields[name] === value) continue;
    copy ??= { ...fields };
    if (value === undefined) delete copy[name];
    else copy[name] = value;
  }
  return (copy as T | undefined) ?? object;
}

/** Does the same for an unvalidated value; anything but an object is returned unchanged. */
export const replaceFieldsIn = (value: unknown, replacements: (fields: Fields) => Fields): unknown =>
  isObject(value) ? replaceFields(value, replacements(value)) : value;
