/** Finds the place in the request that a problem is about. */
import { locateField, locateInString, locatePosition, type Range } from './locate-field.ts';
import { parseFieldPath } from './parse-field-path.ts';
import type { Problem } from './read-result.ts';

/** The exchange names positions of JSON errors like this. */
const jsonPosition = /at position (\d+) \(line \d+, column \d+\)/;
/** The code of a problem with the request as a whole: no body, not an object, `site` and `app` at once. */
const wholeRequest = 'INVALID_REQUEST';
/** A reason about a field inside the native request starts with its path there. */
const innerPath = /^([\w.[\]]+): /;

/** Undefined if the problem is not about the text, such as an exceeded rate limit. */
export function locateProblem(text: string, { code, field, reason }: Problem): Range | undefined {
  const [, position] = jsonPosition.exec(reason) ?? [];
  if (!field && position !== undefined) return locatePosition(text, Number(position));
  if (!field) return code === wholeRequest ? locatePosition(text, 0) : undefined;
  const path = parseFieldPath(field);
  if (path.at(-1) !== 'request') return locateField(text, path);
  if (position !== undefined) return locateInString(text, path, Number(position));
  const [, inner] = innerPath.exec(reason) ?? [];
  return inner === undefined ? locateField(text, path) : locateInString(text, path, parseFieldPath(inner));
}
