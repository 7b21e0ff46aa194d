/** Reads the markup of a native ad into the parts of a card. The markup is a partner's, so every member may be anything. */
import { asArray, asNumber, asObject, asString, tryParse } from '../../json/read-values.ts';

export interface NativeAd {
  title: string;
  sponsoredBy: string;
  description: string;
  callToAction: string;
  /** Data assets other than those above. */
  facts: { label: string; value: string }[];
  images: { label: string; url: string; size: string }[];
  hasVideo: boolean;
  clickUrl: string;
}

const dataLabels: Record<number, string> = {
  1: 'Sponsored by',
  2: 'Description',
  3: 'Rating',
  4: 'Likes',
  5: 'Downloads',
  6: 'Price',
  7: 'Sale price',
  8: 'Phone',
  9: 'Address',
  10: 'More',
  11: 'Displayed URL',
  12: 'Call to action',
};
const imageLabels: Record<number, string> = { 1: 'Icon', 2: 'Logo', 3: 'Main image' };

/** `request` is the text of the impression's native request: a response need not repeat the types of its assets. */
export function readNativeAd(adm: string, request: string): NativeAd | undefined {
  const parsed = tryParse(adm);
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const types = requestedTypes(request);
  const ad: NativeAd = {
    title: '',
    sponsoredBy: '',
    description: '',
    callToAction: '',
    facts: [],
    images: [],
    hasVideo: false,
    clickUrl: asString(asObject(unwrap(parsed).link).url),
  };
  for (const asset of asArray(unwrap(parsed).assets)) addAsset(ad, asObject(asset), types);
  return ad;
}

const unwrap = (value: unknown) => {
  const object = asObject(value);
  return 'native' in object ? asObject(object.native) : object;
};

/** The type of each requested image and data asset by its id. */
function requestedTypes(request: string): Map<unknown, number> {
  const types = new Map<unknown, number>();
  for (const value of asArray(unwrap(tryParse(request)).assets)) {
    const asset = asObject(value);
    const type = asNumber(asObject(asset.data ?? asset.img).type);
    if (type !== undefined) types.set(asset.id, type);
  }
  return types;
}

function addAsset(ad: NativeAd, asset: Record<string, unknown>, types: Map<unknown, number>): void {
  if (asset.title) ad.title ||= asString(asObject(asset.title).text);
  if (asset.img) addImage(ad, asset, types);
  if (asset.data) addData(ad, asset, types);
  if (asset.video) ad.hasVideo = true;
}

function addImage(ad: NativeAd, asset: Record<string, unknown>, types: Map<unknown, number>): void {
  const { url, w, h, type } = asObject(asset.img);
  const label = imageLabels[asNumber(type) ?? types.get(asset.id) ?? 0] ?? 'Image';
  const size = typeof w === 'number' && typeof h === 'number' ? `${w} × ${h}` : '';
  ad.images.push({ label, url: asString(url), size });
}

function addData(ad: NativeAd, asset: Record<string, unknown>, types: Map<unknown, number>): void {
  const { value, type: ownType } = asObject(asset.data);
  const type = asNumber(ownType) ?? types.get(asset.id) ?? 0;
  const text = asString(value);
  if (type === 1) ad.sponsoredBy ||= text;
  else if (type === 2) ad.description ||= text;
  else if (type === 12) ad.callToAction ||= text;
  else ad.facts.push({ label: dataLabels[type] ?? 'Data', value: text });
}

/** The native request of each impression of a bid request. */
export function nativeRequestsOf(bidRequest: string): Map<string, string> {
  const requests = new Map<string, string>();
  for (const value of asArray(asObject(tryParse(bidRequest)).imp)) {
    const imp = asObject(value);
    requests.set(asString(imp.id), asString(asObject(imp.native).request));
  }
  return requests;
}
