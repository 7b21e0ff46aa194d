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

/** The tracking methods that a request offers, by event. */
export type OfferedMethods = ReadonlyMap<unknown, ReadonlySet<unknown>>;

/** A request without `eventtrackers` offers impression trackers by image. */
const defaultMethods: OfferedMethods = new Map([[impressionEvent, new Set([imageMethod])]]);

export function readOfferedMethods({ eventtrackers }: NativeRequest): OfferedMethods {
  if (!eventtrackers) return defaultMethods;
  const offered = new Map<unknown, Set<unknown>>();
  for (const { event, methods = [] } of eventtrackers) {
    const ofEvent = offered.get(event) ?? new Set();
    for (const method of methods) ofEvent.add(method);
    offered.set(event, ofEvent);
  }
  return offered;
}

/** Adds the trackers that may be served to `checked`. */
export function checkTrackers(
  response: JsonObject,
  offered: OfferedMethods,
  check: MarkupCheck,
  checked: NativeResponse,
): void {
  const { imptrackers, jstracker, eventtrackers } = response;
  if (isPresent(imptrackers)) {
    const urls = checkImpressionTrackers(imptrackers, offered, check);
    if (urls.length > 0) checked.imptrackers = urls;
  }
  if (isPresent(jstracker) && jstracker !== '') {
    const isOffered = offered.get(impressionEvent)?.has(scriptMethod) === true;
    if (!isOffered) check.repair(() => 'jstracker was not offered; removed');
    else if (isServableScript(jstracker, check)) checked.jstracker = jstracker;
  }
  if (isPresent(eventtrackers)) {
    const trackers = checkEventTrackers(eventtrackers, offered, check);
    if (trackers.length > 0) checked.eventtrackers = trackers;
  }
}

function checkImpressionTrackers(urls: unknown, offered: OfferedMethods, check: MarkupCheck): string[] {
  const kept: string[] = [];
  if (!Array.isArray(urls)) check.repair(() => 'imptrackers is not a list; removed');
  else if (urls.length > 0 && !offered.get(impressionEvent)?.has(imageMethod))
    check.repair(() => 'imptrackers were not offered; removed');
  else for (const url of urls as unknown[]) if (isServable(url, 'impression tracker', check)) kept.push(url);
  return kept;
}

function checkEventTrackers(trackers: unknown, offered: OfferedMethods, check: MarkupCheck): EventTracker[] {
  const kept: EventTracker[] = [];
  if (!Array.isArray(trackers)) {
    check.repair(() => 'eventtrackers is not a list; removed');
    return kept;
  }
  for (const tracker of trackers as unknown[]) {
    if (!isObject(tracker)) {
      check.repair(() => 'event tracker is not an object; removed');
      continue;
    }
    const checked = checkEventTracker(tracker, offered, check);
    if (checked) kept.push(checked);
  }
  return kept;
}

function checkEventTracker(tracker: JsonObject, offered: OfferedMethods, check: MarkupCheck): EventTracker | undefined {
  const { event, method, url, customdata } = tracker;
  if (typeof event !== 'number' || typeof method !== 'number' || !offered.get(event)?.has(method)) {
    check.repair(() => `event tracker for ${describeMethod(event, method)} was not offered; removed`);
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

const describeMethod = (event: unknown, method: unknown): string =>
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
