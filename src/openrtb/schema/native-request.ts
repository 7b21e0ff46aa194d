/** The decoded native request: the part of Native Ads 1.2 that the exchange holds its callers to. */
import type Joi from 'joi';
import type { NativeAsset, NativeRequest } from '../native-request.ts';
import { list } from './list.ts';
import { durationsInOrder, integer, nativeVersion, object, oneOf, string } from './rules.ts';

const pixels = () => integer().min(1).max(10000);
const minimumPixels = () => integer().min(0).max(10000);

const kinds = ['title', 'img', 'video', 'data'] as const;

const exactlyOneKind: Joi.CustomValidator<NativeAsset> = (asset, helpers) =>
  kinds.filter((kind) => asset[kind] !== undefined).length === 1 ? asset : helpers.error('native.assetKind');

const uniqueAssetIds: Joi.CustomValidator<NativeAsset[]> = (assets, helpers) => {
  const seen = new Set<number>();
  for (const { id } of assets) {
    if (seen.has(id)) return helpers.error('native.assetIds', { id });
    seen.add(id);
  }
  return assets;
};

const asset = object<NativeAsset>({
  id: integer().required(),
  required: integer().custom(oneOf(0, 1)),
  title: object({ len: integer().min(1).required() }),
  img: object({ w: pixels(), wmin: minimumPixels(), h: pixels(), hmin: minimumPixels() }),
  video: object({ w: pixels(), h: pixels(), minduration: integer(), maxduration: integer() }).custom(durationsInOrder),
  data: object({ type: integer().min(1).required(), len: integer().min(0) }),
}).custom(exactlyOneKind);

export const nativeRequest = object<NativeRequest>({
  ver: string().custom(nativeVersion),
  assets: list(asset, { min: 1 }).custom(uniqueAssetIds).required(),
});
