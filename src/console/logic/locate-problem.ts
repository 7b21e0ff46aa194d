/** Finds the places in the request that problems are about. */
import { FieldLocator, locatePosition, type Range } from './locate-field.ts';
import { parseFieldPath } from './parse-field-path.ts';
import type { Problem } from './read-result.ts';

/** The exchange names positions of JSON errors like this. */
const jsonPosition = /at position (\d+) \(line \d+, column \d+\)/;
/** The code of a problem with the request as a whole: no body, not an object, `site` and `app` at once. */
const wholeRequest = 'INVALID_REQUEST';
/** A reason about a field inside the native request starts with its path there. */
const innerPath = /^([\w.[\]]+): /;

/** Locates any number of problems of one text, which is parsed at most once. */
export class ProblemLocator {
  readonly #text: string;
  #fields: FieldLocator | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Undefined if the problem is not about the text, such as an exceeded rate limit. */
  locate({ code, field, reason }: Problem): Range | undefined {
    const [, position] = jsonPosition.exec(reason) ?? [];
    if (!field && position !== undefined) return locatePosition(this.#text, Number(position));
    if (!field) return code === wholeRequest ? locatePosition(this.#text, 0) : undefined;
    const path = parseFieldPath(field);
    const fields = (this.#fields ??= new FieldLocator(this.#text));
    if (path.at(-1) !== 'request') return fields.locate(path);
    if (position !== undefined) return fields.locateInString(path, Number(position));
    const [, inner] = innerPath.exec(reason) ?? [];
    return inner === undefined ? fields.locate(path) : fields.locateInString(path, parseFieldPath(inner));
  }
}
