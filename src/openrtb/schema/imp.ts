/** The specification's tables Imp and Native, and the ad-format declaration. */
import type { AdcpFormat, Imp, Native } from '../bid-request.ts';
import { decodeNativeRequest } from '../decode-native-request.ts';
import { isObject, isText, list } from './list.ts';
import {
  apiFramework,
  durationsInOrder,
  httpsUrl,
  integer,
  isApiFramework,
  isHttpsUrl,
  nativeVersion,
  number,
  object,
  string,
} from './rules.ts';

export const identifier = () =>
  string()
    .max(64)
    .pattern(/^[A-Za-z0-9_-]+$/, 'letters, digits, - and _');

const native = object<Native>({
  request: string().required().custom(decodeNativeRequest),
  ver: string().custom(nativeVersion),
  api: list(integer().custom(apiFramework), (id) => Number.isInteger(id) && isApiFramework(id as number)),
});

const isPlainFormat = (format: unknown): boolean =>
  isObject(format) &&
  isText(format.id) &&
  format.id !== '' &&
  isText(format.agent_url) &&
  isHttpsUrl(format.agent_url as string);

const format = object<AdcpFormat>({
  agent_url: string().required().custom(httpsUrl),
  id: string().required(),
});

const adcpFormats = list(format, isPlainFormat, { min: 1 });

export const imp = object<Imp>({
  id: identifier().required(),
  native: native.required(),
  video: object({ minduration: integer(), maxduration: integer() }).custom(durationsInOrder),
  bidfloor: number().min(0).max(1000).precision(2),
  ext: object({ service: object({ adcpFormats }) }),
});
