/** Counts the work of JavaScript code: executed blocks, and characters or items handed to functions of the engine. No times. */
import { Session } from 'node:inspector';

/** A block takes about as long as ten characters in a function of the engine. */
const unitsPerBlock = 10;

export class WorkCounter {
  readonly #session = new Session();
  /** Units of work in functions of the engine since the last call of `take`. */
  #native = 0;

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    this.#countNatives();
  }

  /** Forgets what the preparation of a message took. Blocks of the audit itself are not counted. */
  reset(): void {
    this.#native = 0;
  }

  /** The work since the last call, or since the last reset. */
  take(): number {
    const native = this.#native;
    let blocks = 0;
    this.#session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      for (const { url, functions } of result) {
        if (!isCounted(url)) continue;
        for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
      }
    });
    this.#native = 0;
    return blocks * unitsPerBlock + native;
  }

  #countNatives(): void {
    const count = (units: number) => {
      this.#native += units;
    };
    const lengthOfThis = (value: { length: number }, text?: unknown) => (text === '"' ? 0 : value.length);
    for (const name of linearStringMethods) wrap(String.prototype, name, count, lengthOfThis);
    for (const name of linearArrayMethods) wrap(Array.prototype, name, count, lengthOfThis);
    for (const name of ['test', 'exec'] as const) wrap(RegExp.prototype, name, count, searchedLength);
    wrap(JSON, 'parse', count, (_json, text: string) => text.length);
    wrap(JSON, 'stringify', count, (_json, _value, _replacer, _space, result?: string) => encodingUnits(result ?? ''));
    wrap(URL, 'canParse', count, (_url, text: string) => urlUnits(text));
    wrap(URL, 'parse', count, (_url, text: string) => urlUnits(text));
    globalThis.URL = new Proxy(URL, {
      construct: (target, [url, base]: [string, string?]) => {
        count(urlUnits(url));
        return new target(url, base);
      },
    });
  }
}

const linearStringMethods = [
  ...(['split', 'search', 'match', 'matchAll', 'replace', 'replaceAll', 'toLowerCase', 'toUpperCase', 'trim'] as const),
  ...(['includes', 'indexOf', 'lastIndexOf', 'normalize', 'isWellFormed', 'toWellFormed'] as const),
];
const linearArrayMethods = [
  'includes',
  'indexOf',
  'join',
  'sort',
  'toSorted',
  'concat',
  'flat',
  'shift',
  'unshift',
] as const;

/** A global pattern is applied again and again, each time to the rest of the text; its last search is counted in full. */
const searchedLength = (pattern: RegExp, text: string): number =>
  pattern.global && pattern.lastIndex > 0 ? 1 : text.length;

/** JSON.stringify looks for cycles at every level of nesting, among all levels above it. */
function encodingUnits(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at]!;
    if (isInText && character === '\\') at++;
    else if (character === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return json.length + deepest ** 2;
}

/** The host of a URL is converted in time quadratic in its non-ASCII characters. */
function urlUnits(url: string): number {
  let nonAscii = 0;
  for (let at = url.indexOf('//') + 2; at < url.length && !'/?#'.includes(url[at]!); at++)
    if (url.charCodeAt(at) > 0x7f) nonAscii++;
  return url.length + nonAscii ** 2;
}

/**
 * Code of the exchange, of its packages and of the planted rule; code that the exchange generates has no URL. The scan of
 * json-budget.ts, which searches for quotes, is left out: it is one pass over texts above a certain length, and its start
 * at that length would look like more than linear work.
 */
const isCounted = (url: string): boolean =>
  url === '' || (/\/(src|node_modules)\/|planted-rule/.test(url) && !url.endsWith('/json-budget.ts'));

/** Counts the units of each call; `units` gets `this`, the arguments and the result. */
function wrap<T extends object>(
  target: T,
  name: keyof T,
  count: (units: number) => void,
  units: (...all: never[]) => number,
): void {
  const original = target[name] as (...args: unknown[]) => unknown;
  const counted = function (this: unknown, ...args: unknown[]): unknown {
    const result = Reflect.apply(original, this, args);
    count(Reflect.apply(units, undefined, [this, ...args, ...(name === 'stringify' ? padding(args, result) : [])]));
    return result;
  };
  Object.defineProperty(target, name, { value: counted, configurable: true, writable: true });
}

/** The result follows the three arguments of JSON.stringify. */
const padding = (args: readonly unknown[], result: unknown): unknown[] => [
  ...Array<undefined>(3 - args.length).fill(undefined),
  result,
];
