/** Mutations of a request at random paths, for the property tests. */
import fc from 'fast-check';

export type Path = (string | number)[];

/** Every path in a value. A string that holds JSON is entered by the step `$text`. */
export function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string' && value.startsWith('{'))
    return [path, ...pathsIn(JSON.parse(value), [...path, '$text'])];
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, member]) => pathsIn(member, [...path, key]))];
}

/** A copy of `value` with the result of `change` at `path`; undefined removes the member. */
export function changeAt(value: unknown, [step, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (step === '$text') return JSON.stringify(changeAt(JSON.parse(value as string), rest, change));
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  const changed = changeAt(copy[step], rest, change);
  if (changed === undefined) delete copy[step];
  else copy[step] = changed;
  return copy;
}

const numbers = [0, -1, 1, 0.5, 1e9, 1e300, -0.000001, 1000.01, 65536];
const texts = ['', '1', 'null', '{}', '[]', '__proto__', '\u0000', '😀', 'a'.repeat(300), '{"native":{}}'];

/** Common mistakes and arbitrary values. */
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...numbers, ...texts, null, true, false, [], {}, [null], [[]], undefined),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values close to a given one: most have its type, some are still valid. */
function nearby(old: unknown): unknown[] {
  if (typeof old === 'number') return [old + 1, old - 1, old + 0.01, -old, old * 10, old / 3];
  if (typeof old === 'string') return [`${old}x`, old.slice(1), old.toUpperCase(), old.repeat(5), ` ${old}`];
  if (Array.isArray(old)) return [[...old, ...old], old.slice(1), [...old, null], [...old, 'x']];
  if (typeof old === 'object') return [{ ...old, x: null }, Object.fromEntries(Object.entries(old ?? {}).slice(1))];
  return [!old, null];
}

const change: fc.Arbitrary<(old: unknown) => unknown> = fc.oneof(
  anyValue.map((value) => () => value),
  fc.nat(60).map((choice) => (old: unknown) => nearby(old)[choice % nearby(old).length]),
  fc.constant(() => null),
);

/** `request` with changes at one to four paths. */
export const mutated = (request: unknown): fc.Arbitrary<unknown> =>
  fc
    .array(fc.tuple(fc.constantFrom(...pathsIn(request).slice(1)), change), { minLength: 1, maxLength: 4 })
    .map((changes) => {
      let body = request;
      for (const [path, alter] of changes) {
        try {
          body = changeAt(body, path, alter);
        } catch {
          // an earlier change removed this path
        }
      }
      return body;
    });
