/** `imp[].native.request`: its text decoded once, judged, and kept decoded for the auction. */
import type Joi from 'joi';
import { formatPath } from './error-table.ts';
import { joiPreferences } from './joi-preferences.ts';
import type { DecodedNativeRequest, NativeForm } from './native-request.ts';
import { notJson, parseJson } from './parse-json.ts';
import { nativeRequest } from './schema/native-request.ts';

/** Joi's context while a bid request is judged: the decoded native requests gather here, in order of imp. */
export interface DecodedNatives {
  natives: DecodedNativeRequest[];
}

const schema = nativeRequest.required().prefs(joiPreferences);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const decodeNativeRequest: Joi.CustomValidator<string> = (text, helpers) => {
  const root = parseJson(text);
  if (root === notJson) return helpers.error('native.text');
  if (!isObject(root)) return helpers.error('native.shape');
  const form: NativeForm = root.native === undefined || root.native === null ? 'unwrapped' : 'wrapped';
  const { value, error } = schema.validate(form === 'wrapped' ? root.native : root);
  if (error) {
    const { type, path, message } = error.details[0]!;
    const inner = formatPath(form === 'wrapped' ? ['native', ...path] : path);
    const row = type === 'native.versionUnsupported' ? 'native.contentUnsupported' : 'native.content';
    return helpers.error(row, { inner, problem: message });
  }
  (helpers.prefs.context as DecodedNatives).natives.push({ form, native: value });
  return text;
};
