/** The text in `imp[].native.request`, decoded and judged. Placements send the same text again and again. */
import { compile } from './fast-path/compile.ts';
import { createCheckContext } from './fast-path/check-context.ts';
import { formatPath } from './error-row.ts';
import { isObject } from '../json/guards.ts';
import { joiPreferences } from './joi-preferences.ts';
import type { DecodedNativeRequest, NativeError, NativeForm, NativeRequest } from './native-request.ts';
import { notJson, parseJson } from '../json/parse-json.ts';
import { memoize } from '../cache/memoize.ts';
import { nativeRequest } from './schema/native-request.ts';

const schema = nativeRequest.required().prefs(joiPreferences);
const { accepts } = compile(nativeRequest);
const pass = createCheckContext({});

/** Tens of kilobytes for a text made to be large when decoded: some 20 MB of them at the worst. */
const memory = { maxEntries: 500, maxKeyLength: 4_000 };

/** What comes out is shared by all requests with this text. */
export const decodeNativeRequest = memoize(memory, (text): DecodedNativeRequest | NativeError => {
  const root = parseJson(text);
  if (root === notJson) return { row: 'native.text', known: {} };
  if (!isObject(root)) return { row: 'native.shape', known: {} };
  const form: NativeForm = root.native === undefined || root.native === null ? 'unwrapped' : 'wrapped';
  const given = form === 'wrapped' ? root.native : root;
  if (accepts(given, pass)) return { form, native: given as NativeRequest };
  const { value, error } = schema.validate(given);
  if (!error) return { form, native: value };
  const { type, path, message } = error.details[0]!;
  const inner = formatPath(form === 'wrapped' ? ['native', ...path] : path);
  const row = type === 'native.versionUnsupported' ? 'native.contentUnsupported' : 'native.content';
  return { row, known: { inner, problem: message } };
});
