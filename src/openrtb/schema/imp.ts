/** The specification's tables Imp and Native, and the ad-format declaration. */
import type { AdcpFormat, Imp, Native } from '../bid-request.ts';
import { decodeNativeRequest } from '../decode-native-request.ts';
import {
  apiFramework,
  array,
  durationsInOrder,
  httpsUrl,
  integer,
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
  api: array().items(integer().custom(apiFramework)),
});

const adcpFormats = array()
  .min(1)
  .items(
    object<AdcpFormat>({
      agent_url: string().required().custom(httpsUrl),
      id: string().required(),
    }),
  );

export const imp = object<Imp>({
  id: identifier().required(),
  native: native.required(),
  video: object({ minduration: integer(), maxduration: integer() }).custom(durationsInOrder),
  bidfloor: number().min(0).max(1000).precision(2),
  ext: object({ service: object({ adcpFormats }) }),
});
