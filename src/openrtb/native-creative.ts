/** What an advertiser has to show, and how it fills one asset of a native request. */
import { cutText } from './native-bounds.ts';
import type { NativeAsset } from './native-request.ts';

/** `data` is keyed by the data asset types of Native 1.2. */
export interface NativeCreative {
  landing: string;
  title: string;
  image?: Image;
  data: ReadonlyMap<number, string>;
  /** URLs of tracking pixels; left out if the request does not offer impression tracking by image. */
  impressionTrackers?: readonly string[];
  clickTrackers?: readonly string[];
}

export interface Image {
  url: string;
  w?: number;
  h?: number;
}

export interface ResponseAsset {
  id: number;
  title?: { text: string };
  img?: Image;
  data?: { value: string };
}

/** Undefined if the creative has nothing for the asset. */
export function fillAsset(asset: NativeAsset, { title, image, data }: NativeCreative): ResponseAsset | undefined {
  const { id } = asset;
  if (asset.title) {
    const text = cutText(title, asset.title.len);
    return text === '' ? undefined : { id, title: { text } };
  }
  if (asset.img) return image && isLargeEnough(image, asset.img) ? { id, img: image } : undefined;
  if (asset.data) {
    const value = cutText(data.get(asset.data.type) ?? '', asset.data.len || undefined);
    return value === '' ? undefined : { id, data: { value } };
  }
  return undefined;
}

/** The smallest image that fills an asset. */
export interface ImageMinimum {
  readonly wmin?: number;
  readonly hmin?: number;
}

export const isLargeEnough = (image: Image, { wmin = 0, hmin = 0 }: ImageMinimum): boolean =>
  (image.w ?? Infinity) >= wmin && (image.h ?? Infinity) >= hmin;
