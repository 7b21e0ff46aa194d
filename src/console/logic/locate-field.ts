/** Finds the place of a field in JSON text that people edit: the text may be incomplete or invalid. */
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

const valueNames = ['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'];

/** The field, or its nearest ancestor that exists. */
export function locateField(text: string, path: FieldPath): Range {
  return walk(text, path).found?.mark ?? { from: 0, to: Math.min(1, text.length) };
}

/** Like `locateField` for a field of the JSON text in the string at `outer`. */
export function locateInString(text: string, outer: FieldPath, inner: FieldPath | number): Range {
  const { found, isExact } = walk(text, outer);
  if (!found || !isExact || found.node.name !== 'String') return locateField(text, outer);
  const start = found.node.from;
  const { value, offsets } = decodeJsonString(text.slice(start, found.node.to));
  const toOuter = (at: number) => start + offsets[Math.min(at, offsets.length - 1)]!;
  const { from, to } = typeof inner === 'number' ? { from: inner, to: inner + 1 } : locateField(value, inner);
  return atLeastOneCharacter(text, toOuter(from), toOuter(to));
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

function walk(text: string, path: FieldPath): { found: Found | undefined; isExact: boolean } {
  const root = valuesIn(jsonLanguage.parser.parse(text).topNode)[0];
  let found = root && { node: root, mark: markOf(root, root) };
  for (const step of path) {
    const next = found && childOf(text, found.node, step);
    if (!next) return { found, isExact: false };
    found = next;
  }
  return { found, isExact: found !== undefined };
}

function childOf(text: string, parent: SyntaxNode, step: string | number): Found | undefined {
  if (typeof step === 'number') {
    const item = parent.name === 'Array' ? valuesIn(parent)[step] : undefined;
    return item && { node: item, mark: markOf(item, item) };
  }
  // The last of several properties with one name counts, as in JSON.parse.
  const property = parent.getChildren('Property').findLast((child) => nameOf(text, child) === step);
  const value = property && valuesIn(property)[0];
  return value && { node: value, mark: markOf(value, property) };
}

function nameOf(text: string, property: SyntaxNode): string | undefined {
  const name = property.getChild('PropertyName');
  return name ? decodeJsonString(text.slice(name.from, name.to)).value : undefined;
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
