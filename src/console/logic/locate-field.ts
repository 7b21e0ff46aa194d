/** Finds the places of fields in JSON text that people edit: the text may be incomplete or invalid. */
import { jsonLanguage } from '@codemirror/lang-json';
import { decodeJsonString } from './decode-json-string.ts';
import type { FieldPath } from './parse-field-path.ts';

export interface Range {
  from: number;
  to: number;
}

type SyntaxNode = ReturnType<typeof jsonLanguage.parser.parse>['topNode'];

interface Found {
  node: SyntaxNode;
  /** What to mark: a scalar itself, an object or array by its key or opening bracket. */
  mark: Range;
}

/** Undefined for a property without a value. */
type Children = Map<string | number, Found | undefined>;

const valueNames = ['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'];

/** Parses the text, and each JSON text in its strings, once for all fields that are located. */
export class FieldLocator {
  readonly #text: string;
  readonly #root: Found | undefined;
  /** By the start of the object or array. */
  readonly #children = new Map<number, Children>();
  /** By the start of the string. */
  readonly #strings = new Map<number, InnerText>();

  constructor(text: string) {
    this.#text = text;
    const [root] = valuesIn(jsonLanguage.parser.parse(text).topNode);
    this.#root = root && { node: root, mark: markOf(root, root) };
  }

  /** The field, or its nearest ancestor that exists. */
  locate(path: FieldPath): Range {
    return this.#walk(path).found?.mark ?? { from: 0, to: Math.min(1, this.#text.length) };
  }

  /** Like `locate` for a field or a position of the JSON text in the string at `outer`. */
  locateInString(outer: FieldPath, inner: FieldPath | number): Range {
    const { found, isExact } = this.#walk(outer);
    if (!found || !isExact || found.node.name !== 'String') return this.locate(outer);
    const start = found.node.from;
    const string = getOrAdd(this.#strings, start, () => new InnerText(this.#text.slice(start, found.node.to)));
    const { from, to } = string.locate(inner);
    return atLeastOneCharacter(this.#text, start + from, start + to);
  }

  #walk(path: FieldPath): { found: Found | undefined; isExact: boolean } {
    let found = this.#root;
    for (const step of path) {
      const next = found && this.#childrenOf(found.node).get(step);
      if (!next) return { found, isExact: false };
      found = next;
    }
    return { found, isExact: found !== undefined };
  }

  #childrenOf(parent: SyntaxNode): Children {
    if (parent.name !== 'Object' && parent.name !== 'Array') return new Map();
    return getOrAdd(this.#children, parent.from, () => readChildren(this.#text, parent));
  }
}

/** The JSON text in a string literal. */
class InnerText {
  readonly #offsets: number[];
  readonly #value: string;
  #fields: FieldLocator | undefined;

  constructor(literal: string) {
    ({ value: this.#value, offsets: this.#offsets } = decodeJsonString(literal));
  }

  /** A range of the literal. */
  locate(inner: FieldPath | number): Range {
    const { from, to } = typeof inner === 'number' ? { from: inner, to: inner + 1 } : this.#locateField(inner);
    const toOuter = (at: number) => this.#offsets[Math.min(at, this.#offsets.length - 1)]!;
    return { from: toOuter(from), to: toOuter(to) };
  }

  #locateField(path: FieldPath): Range {
    return (this.#fields ??= new FieldLocator(this.#value)).locate(path);
  }
}

/** A range of one character at `position`, or of the last one; empty on a last line without characters. */
export const locatePosition = (text: string, position: number): Range =>
  position >= text.length && text.endsWith('\n')
    ? { from: text.length, to: text.length }
    : atLeastOneCharacter(text, position, position + 1);

function atLeastOneCharacter(text: string, from: number, to: number): Range {
  const start = Math.max(0, Math.min(from, text.length - 1));
  return { from: start, to: Math.min(text.length, Math.max(to, start + 1)) };
}

function readChildren(text: string, parent: SyntaxNode): Children {
  if (parent.name === 'Array')
    return new Map(valuesIn(parent).map((item, index) => [index, { node: item, mark: markOf(item, item) }]));
  // The last of several properties with one name counts, as in JSON.parse.
  return new Map(
    parent.getChildren('Property').map((property) => {
      const [value] = valuesIn(property);
      return [nameOf(text, property), value && { node: value, mark: markOf(value, property) }];
    }),
  );
}

function nameOf(text: string, property: SyntaxNode): string {
  const name = property.getChild('PropertyName');
  return name ? decodeJsonString(text.slice(name.from, name.to)).value : '';
}

function markOf(value: SyntaxNode, owner: SyntaxNode): Range {
  if (value.name !== 'Object' && value.name !== 'Array') return { from: value.from, to: value.to };
  const name = owner.getChild('PropertyName');
  return name ? { from: name.from, to: name.to } : { from: value.from, to: value.from + 1 };
}

function valuesIn(parent: SyntaxNode): SyntaxNode[] {
  const values: SyntaxNode[] = [];
  for (let child = parent.firstChild; child; child = child.nextSibling)
    if (valueNames.includes(child.name)) values.push(child);
  return values;
}

function getOrAdd<Value>(values: Map<number, Value>, key: number, create: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const created = create();
  values.set(key, created);
  return created;
}
