/** The decoded native request: the part of Native Ads 1.2 that the exchange validates. */
import type Joi from 'joi';
import type { FieldPath } from '../error-row.ts';
import { maxNativeAssets } from '../native-bounds.ts';
import type { NativeAsset, NativeRequest } from '../native-request.ts';
import { maxReportedErrors } from '../../contract/api-limits.ts';
import type { Collecting } from './collected-errors.ts';
import { nativeVersion } from './formats.ts';
import { list } from './list.ts';
import { durationsInOrder, integer, object, oneOf, string, text } from './rules.ts';

const pixels = () => integer().min(1).max(10000);
const minimumPixels = () => integer().min(0).max(10000);

const assetKinds = ['title', 'img', 'video', 'data'] as const;

const exactlyOneKind: Joi.CustomValidator<NativeAsset> = (asset, helpers) => {
  const kinds = assetKinds.filter((kind) => asset[kind] !== undefined);
  if (kinds.length === 1) return asset;
  return helpers.error('native.assetKind', { kinds: kinds.length === 0 ? 'none' : kinds.join(' and ') });
};

/** While all errors are collected, an item may be anything, and there may be too many of them. */
const uniqueAssetIds: Joi.CustomValidator<Partial<NativeAsset | null>[]> = (assets, helpers) => {
  const { collected } = (helpers.prefs.context ?? {}) as Collecting;
  const firstUse = new Map<number, number>();
  for (const [second, asset] of assets.slice(0, maxNativeAssets).entries()) {
    const id = asset?.id;
    if (typeof id !== 'number') continue;
    const first = firstUse.get(id);
    if (first === undefined) firstUse.set(id, second);
    else if (!collected || collected.length >= maxReportedErrors)
      return helpers.error('native.assetIds', { id, first, second });
    else
      collected.push({
        type: 'native.assetIds',
        path: helpers.state.path as FieldPath,
        context: { id, first, second },
      });
  }
  return assets;
};

const asset = object<NativeAsset>({
  id: integer().required(),
  required: integer().custom(oneOf(0, 1)),
  title: object({ len: integer().min(1).required() }),
  img: object({
    type: integer(),
    w: pixels(),
    wmin: minimumPixels(),
    h: pixels(),
    hmin: minimumPixels(),
    mimes: list(text()),
  }),
  video: object({
    w: pixels(),
    h: pixels(),
    mimes: list(text()),
    minduration: integer(),
    maxduration: integer(),
    protocols: list(integer()),
  }).custom(durationsInOrder),
  data: object({ type: integer().min(1).required(), len: integer().min(0) }),
}).custom(exactlyOneKind);

const eventTracker = object({ event: integer(), methods: list(integer()) });

/** Enumerations have values of later versions and of exchanges' own: any integer is valid. */
export const nativeRequest = object<NativeRequest>({
  ver: string().custom(nativeVersion),
  context: integer(),
  contextsubtype: integer(),
  plcmttype: integer(),
  plcmtcnt: integer(),
  seq: integer(),
  assets: list(asset, { min: 1, max: maxNativeAssets }).custom(uniqueAssetIds).required(),
  aurlsupport: integer(),
  durlsupport: integer(),
  eventtrackers: list(eventTracker, { max: 20 }),
  privacy: integer(),
});
