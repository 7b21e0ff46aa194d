/** Checks the trackers of a native response: only those for events and methods that the request offers are kept. */
import { describeValue } from '../json/describe-value.ts';
import { isNonEmptyString, isObject, isPresent, type JsonObject } from '../json/guards.ts';
import { notWeb } from './check-native-link.ts';
import type { MarkupCheck } from './markup-check.ts';
import { cutText } from './native-bounds.ts';
import type { NativeRequest } from './native-request.ts';
import type { EventTracker, NativeResponse } from './native-response.ts';
import { isHttps, isWebUrl } from './web-url.ts';

export const impressionEvent = 1;
export const imageMethod = 1;
const scriptMethod = 2;
/** Methods of vendors, which may need no URL. */
const firstVendorMethod = 500;
const maxCustomData = 20;

/** The methods by event. */
export type Offers = ReadonlyMap<unknown, ReadonlySet<unknown>>;

/** A request without `eventtrackers` offers impression trackers by image. */
const defaultOffers: Offers = new Map([[impressionEvent, new Set([imageMethod])]]);

export function readOffers({ eventtrackers }: NativeRequest): Offers {
  if (!eventtrackers) return defaultOffers;
  const offers = new Map<unknown, Set<unknown>>();
  for (const { event, methods = [] } of eventtrackers) {
    const offered = offers.get(event) ?? new Set();
    for (const method of methods) offered.add(method);
    offers.set(event, offered);
  }
  return offers;
}

/** Adds the trackers that may be served to `checked`. */
export function checkTrackers(response: JsonObject, offers: Offers, check: MarkupCheck, checked: NativeResponse): void {
  const { imptrackers, jstracker, eventtrackers } = response;
  if (isPresent(imptrackers)) {
    const urls = checkImpressionTrackers(imptrackers, offers, check);
    if (urls.length > 0) checked.imptrackers = urls;
  }
  if (isPresent(jstracker) && jstracker !== '') {
    const isOffered = offers.get(impressionEvent)?.has(scriptMethod) === true;
    if (!isOffered) check.repair(() => 'jstracker was not offered; removed');
    else if (isServableScript(jstracker, check)) checked.jstracker = jstracker;
  }
  if (isPresent(eventtrackers)) {
    const trackers = checkEventTrackers(eventtrackers, offers, check);
    if (trackers.length > 0) checked.eventtrackers = trackers;
  }
}

function checkImpressionTrackers(urls: unknown, offers: Offers, check: MarkupCheck): string[] {
  const kept: string[] = [];
  if (!Array.isArray(urls)) check.repair(() => 'imptrackers is not a list; removed');
  else if (urls.length > 0 && !offers.get(impressionEvent)?.has(imageMethod))
    check.repair(() => 'imptrackers were not offered; removed');
  else for (const url of urls as unknown[]) if (isServable(url, 'impression tracker', check)) kept.push(url);
  return kept;
}

function checkEventTrackers(trackers: unknown, offers: Offers, check: MarkupCheck): EventTracker[] {
  const kept: EventTracker[] = [];
  if (!Array.isArray(trackers)) {
    check.repair(() => 'eventtrackers is not a list; removed');
    return kept;
  }
  for (const tracker of trackers as unknown[]) {
    const checked = isObject(tracker) && checkEventTracker(tracker, offers, check);
    if (checked) kept.push(checked);
    else if (!isObject(tracker)) check.repair(() => 'event tracker is not an object; removed');
  }
  return kept;
}

function checkEventTracker(tracker: JsonObject, offers: Offers, check: MarkupCheck): EventTracker | undefined {
  const { event, method, url, customdata } = tracker;
  if (typeof event !== 'number' || typeof method !== 'number' || !offers.get(event)?.has(method)) {
    check.repair(() => `event tracker for ${describeOffer(event, method)} was not offered; removed`);
    return undefined;
  }
  const checked: EventTracker = { event, method };
  if (isPresent(url) || method < firstVendorMethod) {
    if (!isServable(url, 'event tracker', check)) return undefined;
    checked.url = url;
  }
  if (isObject(customdata)) checked.customdata = copyTexts(customdata);
  return checked;
}

const describeOffer = (event: unknown, method: unknown): string =>
  `event ${describeValue(event ?? null)}, method ${describeValue(method ?? null)}`;

/** Script elements, or the URL of a script. Notes why it is not. */
function isServableScript(script: unknown, check: MarkupCheck): script is string {
  if (!isNonEmptyString(script)) check.repair(() => 'jstracker is not a string; removed');
  else if (!script.trimStart().startsWith('<')) return isServable(script, 'jstracker', check);
  else if (check.secure && /http:/i.test(script)) check.repair(() => 'jstracker has a URL that is not https; removed');
  else return true;
  return false;
}

/** Notes why it is not. */
function isServable(url: unknown, name: string, check: MarkupCheck): url is string {
  if (!isPresent(url)) check.repair(() => `${name} is missing its URL; removed`);
  else if (!isWebUrl(url)) check.repair(() => `${name} ${notWeb(url)}; removed`);
  else if (check.secure && !isHttps(url)) check.repair(() => `${name} ${describeValue(url)} is not https; removed`);
  else return true;
  return false;
}

function copyTexts(members: JsonObject): Record<string, string> {
  const texts: [string, string][] = [];
  for (const [name, value] of Object.entries(members).slice(0, maxCustomData))
    if (typeof value === 'string') texts.push([cutText(name), cutText(value)]);
  return Object.fromEntries(texts);
}
