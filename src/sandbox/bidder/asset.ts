/** The assets that a native request asks for. */
import { BadInput } from '../call.ts';
import { isObject, type JsonObject } from './json-object.ts';

export type Asset = { id: number; required: boolean } & (
  | { kind: 'title'; len: number }
  | { kind: 'img'; icon: boolean; wmin: number; hmin: number }
  | { kind: 'data'; type: number; len: number }
  | { kind: 'other' }
);

/** The image type of Native 1.2 for an icon; all others are served with the main image. */
const iconType = 1;

/** Throws BadInput. */
export function readAssets(assets: unknown, at: string): Asset[] {
  if (!Array.isArray(assets) || assets.length === 0)
    throw new BadInput(`${at}: assets must be an array of at least one`);
  return assets.map((asset: unknown, index) => {
    if (!isObject(asset) || !Number.isInteger(asset.id)) {
      throw new BadInput(`${at}: assets[${index}] must be an object with an integer id`);
    }
    return readAsset(asset, asset.id as number);
  });
}

function readAsset(asset: JsonObject, id: number): Asset {
  const common = { id, required: asset.required === 1 };
  const { title, img, data } = asset;
  if (isObject(title)) return { ...common, kind: 'title', len: readLength(title) };
  if (isObject(img)) {
    return {
      ...common,
      kind: 'img',
      icon: img.type === iconType,
      wmin: readPixels(img.wmin),
      hmin: readPixels(img.hmin),
    };
  }
  if (isObject(data) && typeof data.type === 'number') {
    return { ...common, kind: 'data', type: data.type, len: readLength(data) };
  }
  return { ...common, kind: 'other' };
}

/** None, or none above 0, is no limit. */
const readLength = ({ len }: JsonObject): number => (typeof len === 'number' && len > 0 ? len : Infinity);

const readPixels = (value: unknown): number => (typeof value === 'number' ? value : 0);
