/** Checks a partner's native response against the assets and trackers of the native request. */
import { isNonEmptyString, isObject, type JsonObject } from '../json/guards.ts';
import type { NativeAsset, NativeForm, NativeRequest } from './native-request.ts';
import { notJson, parseJson } from '../json/parse-json.ts';

/** Returns the response as text in the caller's form; undefined if it does not serve the request. */
export function checkNativeResponse(adm: string, request: NativeRequest, form: NativeForm): string | undefined {
  const root = parseJson(adm);
  if (root === notJson || !isObject(root)) return undefined;
  const given: NativeForm = isObject(root.native) ? 'wrapped' : 'unwrapped';
  const response = given === 'wrapped' ? (root.native as JsonObject) : root;
  if (!servesRequest(response, request)) return undefined;
  if (given === form) return adm;
  return form === 'wrapped' ? `{"native":${adm.trim()}}` : encode(response);
}

function encode(response: JsonObject): string | undefined {
  try {
    return JSON.stringify(response);
  } catch {
    return undefined; // nested too deeply for JSON.stringify
  }
}

function servesRequest(response: JsonObject, request: NativeRequest): boolean {
  const { assets, link } = response;
  if (!isObject(link) || !isNonEmptyString(link.url) || !Array.isArray(assets)) return false;
  const requested = requestedAssets(request);
  const filled = new Set<NativeAsset>();
  for (const asset of assets as unknown[]) {
    if (!isObject(asset)) return false;
    const forAsset = requested.get(asset.id);
    if (!forAsset || filled.has(forAsset) || !fillsAsset(asset, forAsset)) return false;
    filled.add(forAsset);
  }
  for (const asset of requested.values()) if (asset.required === 1 && !filled.has(asset)) return false;
  return areOffered(trackersOf(response), request.eventtrackers);
}

type AssetsById = ReadonlyMap<unknown, NativeAsset>;

/** One decoded request is shared by all requests of a placement and all partners' responses. */
const assetsByRequest = new WeakMap<NativeRequest, AssetsById>();

function requestedAssets(request: NativeRequest): AssetsById {
  let assets = assetsByRequest.get(request);
  if (!assets) assetsByRequest.set(request, (assets = new Map(request.assets.map((asset) => [asset.id, asset]))));
  return assets;
}

/** Whether the asset has the requested kind, within its limits. */
function fillsAsset(asset: JsonObject, { title, img, video, data }: NativeAsset): boolean {
  if (title) return isObject(asset.title) && isStringWithin(asset.title.text, title.len);
  if (img) return isObject(asset.img) && isNonEmptyString(asset.img.url) && isLargeEnough(asset.img, img);
  if (video) return isObject(asset.video) && isNonEmptyString(asset.video.vasttag);
  return isObject(asset.data) && isStringWithin(asset.data.value, data?.len || Infinity);
}

const isStringWithin = (text: unknown, length: number): boolean => isNonEmptyString(text) && text.length <= length;

const isLargeEnough = ({ w, h }: JsonObject, { wmin = 0, hmin = 0 }: NonNullable<NativeAsset['img']>): boolean =>
  isAtLeast(w, wmin) && isAtLeast(h, hmin);

/** A missing width or height is accepted. */
const isAtLeast = (side: unknown, minimum: number): boolean =>
  side === undefined || side === null || (typeof side === 'number' && side >= minimum);

/** All trackers of a response as Native 1.2 event trackers; the older members track the impression. */
function trackersOf({ eventtrackers, imptrackers, jstracker }: JsonObject): unknown {
  const impressionTrackers = [
    ...(Array.isArray(imptrackers) && imptrackers.length > 0 ? [{ event: 1, method: 1 }] : []),
    ...(isNonEmptyString(jstracker) ? [{ event: 1, method: 2 }] : []),
  ];
  if (eventtrackers === undefined || eventtrackers === null) return impressionTrackers;
  return Array.isArray(eventtrackers) ? [...(eventtrackers as unknown[]), ...impressionTrackers] : eventtrackers;
}

/** Only trackers for events and methods that the request offers are allowed; without an offer, any tracker is. */
function areOffered(trackers: unknown, offered: unknown): boolean {
  if (!Array.isArray(trackers)) return false;
  if (!Array.isArray(offered)) return true;
  return (trackers as unknown[]).every(
    (tracker) => isObject(tracker) && (offered as unknown[]).some((offer) => includes(offer, tracker)),
  );
}

const includes = (offer: unknown, { event, method }: JsonObject): boolean =>
  isObject(offer) && offer.event === event && Array.isArray(offer.methods) && offer.methods.includes(method);
