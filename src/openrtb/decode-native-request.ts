/** Decodes and validates the text in `imp[].native.request`. Results are memoized: placements repeat their texts. */
import { memoize } from '../cache/memoize.ts';
import { describeJsonError } from '../json/describe-json-error.ts';
import { describeType } from '../json/describe-value.ts';
import { isObject } from '../json/guards.ts';
import { isEncodedTwice, maxDepth, notJson, parseJson, tooDeep } from '../json/parse-json.ts';
import { formatPath } from './error-row.ts';
import { compile, createCheckContext } from './fast-path/compile.ts';
import { nativeProblem } from './field-errors.ts';
import type { DecodedNativeRequest, NativeError, NativeForm, NativeRequest } from './native-request.ts';
import { nativeRequest } from './schema/native-request.ts';
import { validateWithJoi } from './schema/validate-with-joi.ts';

const validate = validateWithJoi(nativeRequest.required());
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
  const form: NativeForm = root.native === undefined || root.native === null ? 'unwrapped' : 'wrapped';
  const given = form === 'wrapped' ? root.native : root;
  if (accepts(given, checkContext)) return { form, native: given as NativeRequest };
  const { value, error } = validate(given);
  if (!error) return { form, native: value };
  const broken = error.details[0]!;
  const row = broken.type === 'native.versionUnsupported' ? 'native.contentUnsupported' : 'native.content';
  const { path, problem } = nativeProblem(broken, given);
  return { row, context: { path: formatPath(form === 'wrapped' ? ['native', ...path] : path), problem } };
});
