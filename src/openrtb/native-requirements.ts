/** What a native request requires of a creative, read once per request, so that a comparison with a creative need not iterate over all assets. */
import { perObject } from '../memory/per-object.ts';
import { fittingImage, type ImageRequirement, type NativeCreative, readImageRequirement } from './native-creative.ts';
import type { NativeAsset, NativeRequest } from './native-request.ts';

/** A group of assets. A text is cut to any length, so only its presence matters. */
interface AssetGroup {
  title: boolean;
  dataTypes: ReadonlySet<number>;
  images: readonly ImageRequirement[];
}

/** `impossible` is a request that no creative serves. If nothing is required, a creative must fill one asset of `anyOf`. */
export type NativeRequirements = 'impossible' | { allOf: AssetGroup } | { anyOf: AssetGroup };

/** One decoded request is shared by all requests of a placement. */
const anyOrigin = perObject(({ assets }: NativeRequest) => readRequirements(assets, false));
const secureOnly = perObject(({ assets }: NativeRequest) => readRequirements(assets, true));

/** `secure`: images must be `https`. */
export const requirementsOf = (request: NativeRequest, secure = false): NativeRequirements =>
  secure ? secureOnly(request) : anyOrigin(request);

/** Whether `buildNativeResponse` finds every required asset, and at least one. */
export function meets(requirements: NativeRequirements, creative: NativeCreative): boolean {
  if (requirements === 'impossible') return false;
  return 'allOf' in requirements ? fillsAll(requirements.allOf, creative) : fillsAny(requirements.anyOf, creative);
}

function readRequirements(assets: readonly NativeAsset[], secure: boolean): NativeRequirements {
  const required = assets.filter((asset) => asset.required === 1);
  if (required.some(({ video }) => video)) return 'impossible';
  const group = toGroup(required.length > 0 ? required : assets, secure);
  return required.length > 0 ? { allOf: group } : { anyOf: group };
}

function toGroup(assets: readonly NativeAsset[], secure: boolean): AssetGroup {
  const dataTypes = new Set<number>();
  const images: ImageRequirement[] = [];
  let hasTitle = false;
  for (const { title, img, data } of assets) {
    if (title) hasTitle = true;
    else if (img) images.push(readImageRequirement(img, secure));
    else if (data) dataTypes.add(data.type);
  }
  return { title: hasTitle, dataTypes, images };
}

/** The number of types is compared first, so that at most as many are looked up as the creative has. */
function fillsAll({ title, dataTypes, images }: AssetGroup, creative: NativeCreative): boolean {
  if (dataTypes.size > creative.data.size) return false;
  if (title && creative.title === '') return false;
  for (const type of dataTypes) if (!creative.data.get(type)) return false;
  return images.every((requirement) => fittingImage(creative, requirement));
}

function fillsAny({ title, dataTypes, images }: AssetGroup, creative: NativeCreative): boolean {
  if (title && creative.title !== '') return true;
  for (const [type, text] of creative.data) if (text !== '' && dataTypes.has(type)) return true;
  return images.some((requirement) => fittingImage(creative, requirement));
}
