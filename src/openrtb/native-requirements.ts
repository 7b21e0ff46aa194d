/** What a native request requires of a creative, read once per request: comparing a creative does not visit every asset. */
import { cutText, maxNativeAssets } from './native-bounds.ts';
import { type ImageMinimum, isLargeEnough, type NativeCreative } from './native-creative.ts';
import type { NativeAsset, NativeRequest } from './native-request.ts';

/** A group of assets: the length of their texts and the images they accept. */
interface AssetGroup {
  titleLength: number | undefined;
  /** By data asset type. */
  dataLengths: ReadonlyMap<number, number>;
  images: readonly ImageMinimum[];
}

/** `impossible` is a request that no creative serves. If nothing is required, a creative must fill one asset of `anyOf`. */
export type NativeRequirements = 'impossible' | { allOf: AssetGroup } | { anyOf: AssetGroup };

/** One decoded request is shared by all requests of a placement. */
const byRequest = new WeakMap<NativeRequest, NativeRequirements>();

export function requirementsOf(request: NativeRequest): NativeRequirements {
  let requirements = byRequest.get(request);
  if (!requirements) byRequest.set(request, (requirements = readRequirements(request.assets)));
  return requirements;
}

/** Whether `buildNativeResponse` finds every required asset, and at least one. */
export function meets(requirements: NativeRequirements, creative: NativeCreative): boolean {
  if (requirements === 'impossible') return false;
  return 'allOf' in requirements ? fillsAll(requirements.allOf, creative) : fillsAny(requirements.anyOf, creative);
}

function readRequirements(assets: readonly NativeAsset[]): NativeRequirements {
  if (assets.length > maxNativeAssets) return 'impossible';
  const required = assets.filter((asset) => asset.required === 1);
  if (required.some(({ video }) => video)) return 'impossible';
  // The shortest length of a text decides about required assets, the longest one about optional assets.
  return required.length > 0 ? { allOf: group(required, Math.min) } : { anyOf: group(assets, Math.max) };
}

function group(assets: readonly NativeAsset[], choose: (...lengths: number[]) => number): AssetGroup {
  let titleLength: number | undefined;
  const dataLengths = new Map<number, number>();
  const images: ImageMinimum[] = [];
  for (const { title, img, data } of assets) {
    if (title) titleLength = choose(title.len, titleLength ?? title.len);
    else if (img) images.push({ wmin: img.wmin ?? 0, hmin: img.hmin ?? 0 });
    else if (data) {
      const length = data.len || Infinity;
      dataLengths.set(data.type, choose(length, dataLengths.get(data.type) ?? length));
    }
  }
  return { titleLength, dataLengths, images: choose === Math.min ? largest(images) : images };
}

/** An image that fills every one of these assets fills this one. */
function largest(images: readonly ImageMinimum[]): ImageMinimum[] {
  if (images.length === 0) return [];
  return [
    {
      wmin: Math.max(...images.map(({ wmin = 0 }) => wmin)),
      hmin: Math.max(...images.map(({ hmin = 0 }) => hmin)),
    },
  ];
}

/** The number of types is compared first, so that at most as many are looked up as the creative has. */
function fillsAll({ titleLength, dataLengths, images }: AssetGroup, { title, image, data }: NativeCreative): boolean {
  if (dataLengths.size > data.size) return false;
  if (titleLength !== undefined && cutText(title, titleLength) === '') return false;
  if (images.length > 0 && !(image && isLargeEnough(image, images[0]!))) return false;
  for (const [type, length] of dataLengths) if (cutText(data.get(type) ?? '', length) === '') return false;
  return true;
}

function fillsAny({ titleLength, dataLengths, images }: AssetGroup, { title, image, data }: NativeCreative): boolean {
  if (titleLength !== undefined && cutText(title, titleLength) !== '') return true;
  for (const [type, text] of data) {
    const length = dataLengths.get(type);
    if (length !== undefined && cutText(text, length) !== '') return true;
  }
  return image !== undefined && images.some((minimum) => isLargeEnough(image, minimum));
}
