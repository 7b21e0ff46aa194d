/** Builds the native response for a request's assets from the creative of an advertiser. */
import { isObject } from '../json/guards.ts';
import type { DecodedNativeRequest, NativeAsset, NativeRequest } from './native-request.ts';

interface ResponseAsset {
  id: number;
  title?: { text: string };
  img?: Image;
  data?: { value: string };
}

export interface Image {
  url: string;
  w?: number;
  h?: number;
}

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

/** The response as text, wrapped like the request; undefined if the creative cannot fill a required asset, or any asset. */
export function buildNativeResponse(
  { native: request, form }: DecodedNativeRequest,
  creative: NativeCreative,
): string | undefined {
  const assets: ResponseAsset[] = [];
  for (const asset of request.assets) {
    const filled = fillAsset(asset, creative);
    if (filled) assets.push(filled);
    else if (asset.required === 1) return undefined;
  }
  if (assets.length === 0) return undefined;
  const response = {
    ver: request.ver ?? '1.2',
    assets,
    link: linkOf(creative),
    ...impressionTracking(request, creative.impressionTrackers),
  };
  return JSON.stringify(form === 'wrapped' ? { native: response } : response);
}

const linkOf = ({ landing, clickTrackers = [] }: NativeCreative) =>
  clickTrackers.length > 0 ? { url: landing, clicktrackers: clickTrackers } : { url: landing };

const impressionEvent = 1;
const imageMethod = 1;

/** In `eventtrackers` if the request offers that; a request that says nothing about trackers gets the older `imptrackers`. */
function impressionTracking({ eventtrackers }: NativeRequest, urls: readonly string[] = []): object {
  if (urls.length === 0) return {};
  if (!Array.isArray(eventtrackers)) return { imptrackers: urls };
  if (!(eventtrackers as unknown[]).some(offersImpressionImages)) return {};
  return { eventtrackers: urls.map((url) => ({ event: impressionEvent, method: imageMethod, url })) };
}

const offersImpressionImages = (offer: unknown): boolean =>
  isObject(offer) &&
  offer.event === impressionEvent &&
  Array.isArray(offer.methods) &&
  offer.methods.includes(imageMethod);

function fillAsset(asset: NativeAsset, { title, image, data }: NativeCreative): ResponseAsset | undefined {
  const { id } = asset;
  if (asset.title) {
    const text = cut(title, asset.title.len);
    return text === '' ? undefined : { id, title: { text } };
  }
  if (asset.img) return image && isLargeEnough(image, asset.img) ? { id, img: image } : undefined;
  if (asset.data) {
    const value = cut(data.get(asset.data.type) ?? '', asset.data.len || Infinity);
    return value === '' ? undefined : { id, data: { value } };
  }
  return undefined;
}

const isLargeEnough = (image: Image, { wmin = 0, hmin = 0 }: NonNullable<NativeAsset['img']>): boolean =>
  (image.w ?? Infinity) >= wmin && (image.h ?? Infinity) >= hmin;

/** At most `length` UTF-16 units, without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
