/** What an advertiser has to show, and how it fills one asset of a native request. */
import { perObject } from '../memory/per-object.ts';
import { cutText } from './native-bounds.ts';
import { acceptedMimes, hasFittingSize, mimesOf } from './native-image.ts';
import type { NativeAsset } from './native-request.ts';
import type { ResponseAsset } from './native-response.ts';
import { isHttpsUrl } from './web-url.ts';

/** `data` is keyed by the data asset types of Native 1.2. */
export interface NativeCreative {
  landing: string;
  title: string;
  /** The main image. */
  image?: Image;
  icon?: Image;
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

/** Undefined if the creative has nothing for the asset. */
export function fillAsset(asset: NativeAsset, creative: NativeCreative, secure = false): ResponseAsset | undefined {
  const { id } = asset;
  if (asset.title) {
    const text = cutText(creative.title, asset.title.len);
    return text === '' ? undefined : { id, title: { text } };
  }
  if (asset.img) {
    const img = fittingImage(creative, readImageRequirement(asset.img, secure));
    return img && { id, img };
  }
  if (asset.data) {
    const value = cutText(creative.data.get(asset.data.type) ?? '', asset.data.len || undefined);
    return value === '' ? undefined : { id, data: { value } };
  }
  return undefined;
}

/** What an image asset requires. */
export interface ImageRequirement {
  /** The member of a creative that may fill the asset; undefined if none has the requested type. */
  member: 'icon' | 'image' | undefined;
  requested: NonNullable<NativeAsset['img']>;
  mimes: ReadonlySet<string> | undefined;
  secure: boolean;
}

const iconType = 1;
const mainType = 3;

export function readImageRequirement(requested: NonNullable<NativeAsset['img']>, secure: boolean): ImageRequirement {
  const type = requested.type ?? mainType;
  const member = type === iconType ? 'icon' : type === mainType ? 'image' : undefined;
  return { member, requested, mimes: acceptedMimes(requested), secure };
}

/** Undefined if the creative has no image that fits. */
export function fittingImage(creative: NativeCreative, requirement: ImageRequirement): Image | undefined {
  const { member, requested, mimes, secure } = requirement;
  const image = member && creative[member];
  if (!image || !hasFittingSize(image, requested)) return undefined;
  if (!mimes && !secure) return image;
  const facts = factsOf(image);
  if (secure && !facts.isHttps) return undefined;
  return !mimes || !facts.mimes || facts.mimes.some((mime) => mimes.has(mime)) ? image : undefined;
}

interface ImageFacts {
  isHttps: boolean;
  mimes: readonly string[] | undefined;
}

/** Read once per image: a creative may be compared with fifty assets. */
const factsOf = perObject(({ url }: Image): ImageFacts => ({ isHttps: isHttpsUrl(url), mimes: mimesOf(url) }));
