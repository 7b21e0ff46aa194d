/** Decodes and validates the text in `imp[].native.request`. Results are memoized: placements repeat their texts. */
import { memoize } from '../cache/memoize.ts';
import { describeJsonError } from '../json/describe-json-error.ts';
import { describeType } from '../json/describe-value.ts';
import { isObject, type JsonObject } from '../json/guards.ts';
import { isEncodedTwice, maxDepth, notJson, parseJson, tooDeep } from '../json/parse-json.ts';
import { formatPath } from './error-row.ts';
import { compile, createCheckContext } from './fast-path/compile.ts';
import { type BrokenRule, nativeProblem } from './field-errors.ts';
import type { DecodedNativeRequest, NativeError, NativeForm, NativeRequest } from './native-request.ts';
import { maxReportedErrors } from '../contract/api-limits.ts';
import { nativeRequest } from './schema/native-request.ts';
import { collectWithJoi, validateWithJoi } from './schema/validate-with-joi.ts';

const validate = validateWithJoi(nativeRequest.required());
const collect = collectWithJoi(nativeRequest.required());
const { accepts } = compile(nativeRequest);
const checkContext = createCheckContext({});

/** A decoded text takes tens of kilobytes at most, the cache some 20 MB. */
const cacheLimits = { maxEntries: 500, maxKeyLength: 4_000 };

/** All requests with the same text share the result. */
export const decodeNativeRequest = memoize(cacheLimits, (text): DecodedNativeRequest | NativeError => {
  const root = parseJson(text);
  if (root === notJson) return { row: 'native.text', context: { problem: describeJsonError(text) } };
  if (root === tooDeep) return { row: 'native.shape', context: { problem: `a value of more than ${maxDepth} levels` } };
  if (isEncodedTwice(root)) return { row: 'native.encodedTwice', context: {} };
  if (!isObject(root)) return { row: 'native.shape', context: { problem: describeType(root) } };
  const form = formOf(root);
  const given = form === 'wrapped' ? root.native : root;
  if (accepts(given, checkContext)) return { form, native: given as NativeRequest };
  const { value, error } = validate(given);
  return error ? toError(error.details[0]!, given, form) : { form, native: value };
});

/** All errors of a text that is an object, the one that `decodeNativeRequest` returns included. */
export function collectNativeErrors(text: string): NativeError[] {
  const root = parseJson(text);
  if (!isObject(root)) return [];
  const form = formOf(root);
  const given = form === 'wrapped' ? root.native : root;
  return collect(given, {})
    .slice(0, maxReportedErrors)
    .map((broken) => toError(broken, given, form));
}

const formOf = ({ native }: JsonObject): NativeForm =>
  native === undefined || native === null ? 'unwrapped' : 'wrapped';

function toError(broken: BrokenRule, given: unknown, form: NativeForm): NativeError {
  const row = broken.type === 'native.versionUnsupported' ? 'native.contentUnsupported' : 'native.content';
  const { path, problem } = nativeProblem(broken, given);
  return { row, context: { path: formatPath(form === 'wrapped' ? ['native', ...path] : path), problem } };
}
