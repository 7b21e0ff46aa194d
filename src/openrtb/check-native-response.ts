/** Checks a partner's native response against the assets and trackers of the native request. */
import { isNonEmptyString, isObject, type JsonObject } from '../json/guards.ts';
import { type JsonBudget, spendJsonBudget } from '../json/json-budget.ts';
import { parseJson } from '../json/parse-json.ts';
import { cutText, isWithinNativeSize, maxNativeAssets, maxNativeTrackers, maxTextLength } from './native-bounds.ts';
import type { NativeAsset, NativeForm, NativeRequest } from './native-request.ts';

/**
 * Returns the response as text in the caller's form; undefined if it exceeds a bound or does not serve the request.
 * `budget` is for all native responses of a partner's response together, if they are long.
 */
export function checkNativeResponse(
  adm: string,
  request: NativeRequest,
  form: NativeForm,
  budget?: JsonBudget,
): string | undefined {
  if (!isWithinNativeSize(adm) || (budget && !spendJsonBudget(adm, budget))) return undefined;
  const root = parseJson(adm);
  if (!isObject(root)) return undefined;
  const given: NativeForm = isObject(root.native) ? 'wrapped' : 'unwrapped';
  const response = given === 'wrapped' ? (root.native as JsonObject) : root;
  if (!hasFewParts(response)) return undefined;
  const isCut = cutTexts(response.assets as unknown[]);
  if (!servesRequest(response, request)) return undefined;
  if (given === form && !isCut) return adm;
  if (form === 'unwrapped') return JSON.stringify(response);
  return isCut ? JSON.stringify({ native: response }) : `{"native":${adm.trim()}}`;
}

/** Whether there is a list of assets, and neither it nor the lists of trackers are too long. */
function hasFewParts({ assets, link, eventtrackers, imptrackers, jstracker }: JsonObject): boolean {
  if (!Array.isArray(assets) || assets.length > maxNativeAssets) return false;
  let trackers = lengthOf(eventtrackers) + lengthOf(imptrackers) + (isNonEmptyString(jstracker) ? 1 : 0);
  trackers += clickTrackersOf(link);
  for (const asset of assets as unknown[]) if (isObject(asset)) trackers += clickTrackersOf(asset.link);
  return trackers <= maxNativeTrackers;
}

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
const clickTrackersOf = (link: unknown): number => (isObject(link) ? lengthOf(link.clicktrackers) : 0);

/** Cuts the texts that are too long, in place; whether there were any. */
function cutTexts(assets: readonly unknown[]): boolean {
  let isCut = false;
  for (const asset of assets) {
    if (!isObject(asset)) continue;
    if (isObject(asset.title) && cutMember(asset.title, 'text')) isCut = true;
    if (isObject(asset.data) && cutMember(asset.data, 'value')) isCut = true;
  }
  return isCut;
}

function cutMember(object: JsonObject, name: string): boolean {
  const text = object[name];
  if (typeof text !== 'string' || text.length <= maxTextLength) return false;
  object[name] = cutText(text);
  return true;
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
  return areOffered(trackersOf(response), request);
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
function areOffered(trackers: unknown, request: NativeRequest): boolean {
  if (!Array.isArray(trackers)) return false;
  const offers = offersOf(request);
  if (offers === 'any') return true;
  for (const tracker of trackers as unknown[]) {
    if (!isObject(tracker) || !offers.get(tracker.event)?.has(tracker.method)) return false;
  }
  return true;
}

/** The methods by event. */
type Offers = ReadonlyMap<unknown, ReadonlySet<unknown>>;

const offersByRequest = new WeakMap<NativeRequest, Offers | 'any'>();

function offersOf(request: NativeRequest): Offers | 'any' {
  let offers = offersByRequest.get(request);
  if (!offers) offersByRequest.set(request, (offers = readOffers(request.eventtrackers)));
  return offers;
}

function readOffers(eventtrackers: unknown): Offers | 'any' {
  if (!Array.isArray(eventtrackers)) return 'any';
  const offers = new Map<unknown, Set<unknown>>();
  for (const offer of eventtrackers as unknown[]) {
    if (!isObject(offer) || !Array.isArray(offer.methods)) continue;
    const methods = offers.get(offer.event) ?? new Set();
    for (const method of offer.methods as unknown[]) methods.add(method);
    offers.set(offer.event, methods);
  }
  return offers;
}
