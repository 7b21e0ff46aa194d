/** The specification's tables Imp and Native, and the ad-format declaration. */
import type Joi from 'joi';
import { maxIdLength } from '../../contract/api-limits.ts';
import type { AdcpFormat, Imp, Native } from '../bid-request.ts';
import { maxAgentUrlLength } from '../agent-url.ts';
import { collectNativeErrors, decodeNativeRequest } from '../decode-native-request.ts';
import type { FieldPath } from '../error-row.ts';
import type { NativeRequestCache } from '../native-request.ts';
import { httpsUrl, nativeVersion } from './formats.ts';
import type { Collecting } from './collected-errors.ts';
import { list } from './list.ts';
import { pmp } from './pmp.ts';
import { apiFramework, durationsInOrder, integer, number, object, string, text } from './rules.ts';

export const identifier = () =>
  string()
    .max(maxIdLength)
    .pattern(/^[A-Za-z0-9_-]+$/, 'ASCII letters, digits, - and _');

/** Fifty assets and twenty event trackers take a few kilobytes. To parse a body full of them takes ten milliseconds. */
const maxNativeRequestLength = 32 * 1024;

/** Decodes each text once per request and keeps the result for the auction. */
const nativeText: Joi.CustomValidator<string> = (text, helpers) => {
  if (text.length > maxNativeRequestLength) return text; // reported; while all errors are collected, Joi calls this rule nevertheless
  const { natives } = helpers.prefs.context as NativeRequestCache;
  const decoded = natives.get(text) ?? decodeNativeRequest(text);
  natives.set(text, decoded);
  if (!('row' in decoded)) return text;
  const { collected } = helpers.prefs.context as Collecting;
  const all = collected ? collectNativeErrors(text) : [];
  for (const { row, context } of all)
    collected!.push({ type: row, path: helpers.state.path as FieldPath, context: { ...context } });
  return all.length > 0 ? text : helpers.error(decoded.row, { ...decoded.context });
};

const native = object<Native>({
  request: string().required().max(maxNativeRequestLength).custom(nativeText),
  ver: string().custom(nativeVersion),
  api: list(integer().custom(apiFramework)),
  battr: list(integer(), { max: 1000 }),
});

const format = object<AdcpFormat>({
  agent_url: string().required().max(maxAgentUrlLength).custom(httpsUrl),
  id: string().required(),
});

const adcpFormats = list(format, { min: 1, max: 50 });

export const imp = object<Imp>({
  id: identifier().required(),
  native: native.required(),
  pmp,
  video: object({ minduration: integer(), maxduration: integer() }).custom(durationsInOrder),
  bidfloor: number().min(0).max(1000).precision(2),
  bidfloorcur: text(),
  ext: object({ service: object({ adcpFormats }) }),
});
