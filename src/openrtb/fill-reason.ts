/** Fills the template of an error reason with what the rule expected and what it found. Runs only for invalid requests. */
import { isObject } from '../json/guards.ts';
import { isEncodedTwice } from '../json/parse-json.ts';
import { describeCharacter, describeType, describeValue } from '../json/describe-value.ts';
import type { FieldPath, RuleContext } from './error-row.ts';

interface Failure {
  path: FieldPath;
  context: RuleContext;
  /** The value that was validated. */
  root: unknown;
}

/** Placeholders that are computed; any other is the member of that name in the rule's context. */
const computed: Record<string, (failure: Failure) => string> = {
  type: ({ context }) => describeType(context.value),
  bodyType: ({ root }) => `${describeType(root)}${isEncodedTwice(root) ? ' (the body is JSON-encoded twice)' : ''}`,
  found: ({ context }) => describeValue(context.value),
  length: ({ context }) => String((context.value as string | unknown[]).length),
  character: ({ context }) => firstNotMatching(context.value as string, context.regex as RegExp),
  absence: ({ root, path }) => (valueAt(root, path) === null ? 'null' : 'missing'),
};

export const fillReason = (template: string, failure: Failure): string =>
  template.replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) =>
    name in computed ? computed[name]!(failure) : String(failure.context[name]),
  );

/** The patterns of our schemas allow a set of characters, each in any place. */
function firstNotMatching(text: string, pattern: RegExp): string {
  const index = text.split('').findIndex((character) => !pattern.test(character));
  return `${describeCharacter(text, index)} at position ${index}`;
}

function valueAt(root: unknown, path: FieldPath): unknown {
  let value = root;
  for (const part of path) {
    if (!isObject(value) && !Array.isArray(value)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}
