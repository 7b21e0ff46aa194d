/** Builds the native answer for a request's assets out of what an advertiser has to show. */
import type { DecodedNativeRequest, NativeAsset } from './native-request.ts';

interface AnsweredAsset {
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

/** What an advertiser has to show; `data` by the data asset types of Native 1.2. */
export interface NativeCreative {
  landing: string;
  title: string;
  image?: Image;
  data: ReadonlyMap<number, string>;
}

/** As text in the request's form; undefined where the material cannot serve a required asset, or nothing at all. */
export function buildNativeResponse(
  { native: request, form }: DecodedNativeRequest,
  material: NativeCreative,
): string | undefined {
  const assets: AnsweredAsset[] = [];
  for (const asset of request.assets) {
    const answered = answerAsset(asset, material);
    if (answered) assets.push(answered);
    else if (asset.required === 1) return undefined;
  }
  if (assets.length === 0) return undefined;
  const answer = { ver: request.ver ?? '1.2', assets, link: { url: material.landing } };
  return JSON.stringify(form === 'wrapped' ? { native: answer } : answer);
}

function answerAsset(asset: NativeAsset, { title, image, data }: NativeCreative): AnsweredAsset | undefined {
  const { id } = asset;
  if (asset.title) {
    const text = cut(title, asset.title.len);
    return text === '' ? undefined : { id, title: { text } };
  }
  if (asset.img) return image && largeEnough(image, asset.img) ? { id, img: image } : undefined;
  if (asset.data) {
    const value = cut(data.get(asset.data.type) ?? '', asset.data.len || Infinity);
    return value === '' ? undefined : { id, data: { value } };
  }
  return undefined;
}

const largeEnough = (image: Image, { wmin = 0, hmin = 0 }: NonNullable<NativeAsset['img']>): boolean =>
  (image.w ?? Infinity) >= wmin && (image.h ?? Infinity) >= hmin;

/** At most `length` UTF-16 units, never half of a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
