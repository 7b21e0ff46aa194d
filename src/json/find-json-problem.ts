/** Finds the first character at which a text stops being JSON, and says what is wrong there. */
import { describeCharacter } from './describe-value.ts';

export interface JsonProblem {
  problem: string;
  /** The text before this index can be continued to valid JSON, the text including it cannot. */
  at: number;
  hint?: string;
}

/** What may come next, blanks aside. */
type Expected = 'value' | 'item or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing';

const hints: Record<Exclude<Expected, ', or end'>, string> = {
  value: 'expected a value',
  'item or ]': 'expected a value or ]',
  name: 'expected a name in double quotes',
  'name or }': 'expected a name in double quotes or }',
  ':': 'expected : after the name',
  nothing: 'expected the text to end after its first value',
};

const startsValue = /[["{\w'-]/;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

// One loop per kind of character: a shared loop that takes a predicate runs several times slower.

function skipBlanks(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}

function skipDigits(text: string, at: number): number {
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** The characters of a string that are neither its end, nor an escape, nor forbidden. */
function skipPlain(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c) break;
  }
  return at;
}

/** Undefined if the text is JSON. Linear in the length of the text. */
export const findJsonProblem = (text: string): JsonProblem | undefined => new JsonScanner(text).findProblem();

/** Iterative, with a stack of its own: the caller controls the nesting depth, and recursion could overflow the stack. */
class JsonScanner {
  readonly #text: string;
  #at = 0;
  #expected: Expected = 'value';
  /** The positions of the brackets that are still open. */
  readonly #open: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  findProblem(): JsonProblem | undefined {
    for (;;) {
      this.#at = skipBlanks(this.#text, this.#at);
      if (this.#at === this.#text.length) return this.#expected === 'nothing' ? undefined : this.#end();
      const problem = this.#step(this.#text[this.#at]!);
      if (problem) return problem;
    }
  }

  #step(character: string): JsonProblem | undefined {
    switch (this.#expected) {
      case 'value':
      case 'item or ]':
        if (character === ']' && this.#expected === 'item or ]') return this.#close();
        return this.#value(character);
      case 'name':
      case 'name or }':
        if (character === '}' && this.#expected === 'name or }') return this.#close();
        return character === '"' ? this.#string(':') : this.#unexpected(character);
      case ':':
        return character === ':' ? this.#advance('value') : this.#unexpected(character);
      case ', or end':
        if (character === ',') return this.#advance(this.#isInObject() ? 'name' : 'value');
        return character === this.#closingBracket() ? this.#close() : this.#unexpected(character);
      case 'nothing':
        return this.#unexpected(character);
    }
  }

  #value(character: string): JsonProblem | undefined {
    switch (character) {
      case '{':
      case '[':
        this.#open.push(this.#at);
        return this.#advance(character === '{' ? 'name or }' : 'item or ]');
      case '"':
        return this.#string(this.#afterValue());
      case 't':
        return this.#literal('true');
      case 'f':
        return this.#literal('false');
      case 'n':
        return this.#literal('null');
      default:
        return character === '-' || isDigit(character.charCodeAt(0)) ? this.#number() : this.#unexpected(character);
    }
  }

  #string(next: Expected): JsonProblem | undefined {
    const start = this.#at++;
    for (;;) {
      this.#at = skipPlain(this.#text, this.#at);
      const character = this.#text[this.#at];
      if (character === undefined) return this.#end(`the string that starts at position ${start} is not closed`);
      if (character === '"') return this.#advance(next);
      if (character !== '\\')
        return {
          problem: `${controlCharacters[character] ?? 'control character'} in a string`,
          at: this.#at,
          hint: 'escape it',
        };
      this.#at++;
      const problem = this.#escape();
      if (problem) return problem;
    }
  }

  /** The part of an escape sequence after its backslash. */
  #escape(): JsonProblem | undefined {
    const character = this.#text[this.#at];
    if (character === undefined) return this.#end();
    if (!'"\\/bfnrtu'.includes(character)) return this.#unexpected(character, 'not a JSON escape sequence');
    this.#at++;
    if (character !== 'u') return undefined;
    for (let digit = 0; digit < 4; digit++, this.#at++) {
      const found = this.#text[this.#at];
      if (found === undefined) return this.#end();
      if (!'0123456789abcdefABCDEF'.includes(found))
        return this.#unexpected(found, 'expected four hexadecimal digits after \\u');
    }
    return undefined;
  }

  #literal(word: string): JsonProblem | undefined {
    for (const letter of word) {
      const found = this.#text[this.#at];
      if (found === undefined) return this.#end();
      if (found !== letter) return this.#unexpected(found, `expected ${word}`);
      this.#at++;
    }
    this.#expected = this.#afterValue();
    return undefined;
  }

  #number(): JsonProblem | undefined {
    if (this.#text[this.#at] === '-') this.#at++;
    if (this.#text[this.#at] === '0') {
      const next = ++this.#at;
      if (this.#digits() > 0) return { problem: 'number with a leading zero', at: next };
    } else if (this.#digits() === 0) return this.#missingDigit();
    if (this.#text[this.#at] === '.') {
      this.#at++;
      if (this.#digits() === 0) return this.#missingDigit();
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at++;
      if (this.#text[this.#at] === '-' || this.#text[this.#at] === '+') this.#at++;
      if (this.#digits() === 0) return this.#missingDigit();
    }
    this.#expected = this.#afterValue();
    return undefined;
  }

  #missingDigit(): JsonProblem {
    const found = this.#text[this.#at];
    return found === undefined ? this.#end() : this.#unexpected(found, 'expected a digit');
  }

  /** `hint` is given inside a string, a number or a literal. */
  #unexpected(character: string, hint?: string): JsonProblem {
    const described = describeCharacter(this.#text, this.#at);
    const mistake = hint === undefined ? this.#commonMistake(character, described) : undefined;
    if (mistake) return mistake;
    return { problem: `unexpected character ${described}`, at: this.#at, hint: hint ?? this.#hint(character) };
  }

  #commonMistake(character: string, described: string): JsonProblem | undefined {
    const at = this.#at;
    const expected = this.#expected;
    const isValue = expected === 'value' || expected === 'item or ]';
    const isName = expected === 'name' || expected === 'name or }';
    if ((isValue || isName) && character === "'")
      return { problem: 'single-quoted string', at, hint: 'use double quotes' };
    if (isName && /[\w$]/.test(character)) return { problem: 'name without quotes', at, hint: 'use double quotes' };
    if ((isValue || isName) && '}]'.includes(character) && this.#lastBefore(at) === ',')
      return { problem: `trailing comma before ${described}`, at };
    if (expected === ', or end' && startsValue.test(character))
      return { problem: `missing comma before ${described}`, at };
    return undefined;
  }

  #hint(character: string): string {
    if (character === '/') return 'JSON has no comments';
    if (this.#expected !== ', or end') return hints[this.#expected];
    return `expected , or ${this.#closingBracket()} for the bracket at position ${this.#open.at(-1)}`;
  }

  #end(hint?: string): JsonProblem {
    const at = this.#text.length;
    const opened = this.#open.at(-1);
    const kind = this.#isInObject() ? 'object' : 'array';
    const unclosed = opened === undefined ? undefined : `the ${kind} that starts at position ${opened} is not closed`;
    const closing = hint ?? unclosed;
    return { problem: 'unexpected end of input', at, ...(closing === undefined ? {} : { hint: closing }) };
  }

  #close(): undefined {
    this.#open.pop();
    this.#advance(this.#afterValue());
  }

  #advance(expected: Expected): undefined {
    this.#at++;
    this.#expected = expected;
  }

  /** Skips digits and returns their number. */
  #digits(): number {
    const start = this.#at;
    this.#at = skipDigits(this.#text, start);
    return this.#at - start;
  }

  #lastBefore(at: number): string | undefined {
    let last = at - 1;
    while (last >= 0 && ' \t\n\r'.includes(this.#text[last]!)) last--;
    return this.#text[last];
  }

  #isInObject(): boolean {
    return this.#text[this.#open.at(-1) ?? -1] === '{';
  }

  #closingBracket(): string {
    return this.#isInObject() ? '}' : ']';
  }

  #afterValue(): Expected {
    return this.#open.length === 0 ? 'nothing' : ', or end';
  }
}

const controlCharacters: Record<string, string> = { '\n': 'line break', '\r': 'line break', '\t': 'tab' };
