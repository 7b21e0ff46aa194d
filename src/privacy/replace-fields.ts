/** Replaces and removes fields of a request object, at any depth, without mutating it. */
import { isObject, type JsonObject } from '../json/guards.ts';

/** Returns the value to use instead; undefined removes the field, the same value keeps it. */
export type Replace = (value: unknown) => unknown;

/** By field name: how to replace its value, or the fields inside its value. */
export type FieldTree = ReadonlyMap<string, Replace | FieldTree>;

/** Returns a copy that shares its unchanged parts, or the same object if nothing changes. Absent and null fields stay. */
export function replaceFields<T extends object>(object: T, tree: FieldTree): T {
  const fields = object as JsonObject;
  let replaced: Map<string, unknown> | undefined;
  for (const [name, node] of tree) {
    const value = fields[name];
    if (value === undefined || value === null) continue;
    const replacement = typeof node === 'function' ? node(value) : replaceInside(value, node);
    if (replacement !== value) (replaced ??= new Map<string, unknown>()).set(name, replacement);
  }
  return replaced ? (copyWith(fields, replaced) as T) : object;
}

/** A value that should be an object but is not is removed: nothing is known about what it holds. */
const replaceInside = (value: unknown, tree: FieldTree): unknown =>
  isObject(value) ? replaceFields(value, tree) : undefined;

/** With undefined instead of a value, the field is left out. With thousands of fields, this loop takes half the time of the spread syntax, and no field is deleted afterwards. */
export function copyWith(fields: JsonObject, replaced: ReadonlyMap<string, unknown>): JsonObject {
  const copy: JsonObject = {};
  for (const name of Object.keys(fields)) {
    if (name === '__proto__') continue; // an assignment would set the prototype
    const value = replaced.has(name) ? replaced.get(name) : fields[name];
    if (value !== undefined) copy[name] = value;
  }
  return copy;
}
