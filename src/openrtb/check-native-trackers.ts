/** Checks the trackers of a native response: only those for events and methods that the request offers are kept. */
import { describeValue } from '../json/describe-value.ts';
import { isNonEmptyString, isObject, isPresent, type JsonObject } from '../json/guards.ts';
import { perObject } from '../memory/per-object.ts';
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

/** Texts, because anyone can compute which integers V8 stores in the same place: a Set of such integers takes quadratic time. */
const offeredKeys = perObject(
  ({ eventtrackers = [] }: NativeRequest): ReadonlySet<string> =>
    new Set(eventtrackers.flatMap(({ event, methods = [] }) => methods.map((method) => keyOf(event, method)))),
);
const keyOf = (event: number | undefined, method: number): string => `${event} ${method}`;

/** A request without `eventtrackers` offers impression trackers by image. */
export function offersTracker(request: NativeRequest, event: number, method: number): boolean {
  if (!request.eventtrackers) return event === impressionEvent && method === imageMethod;
  return offeredKeys(request).has(keyOf(event, method));
}

/** Adds the trackers that may be served to `checked`. */
export function checkTrackers(
  response: JsonObject,
  request: NativeRequest,
  check: MarkupCheck,
  checked: NativeResponse,
): void {
  const { imptrackers, jstracker, eventtrackers } = response;
  if (isPresent(imptrackers)) {
    const urls = checkImpressionTrackers(imptrackers, request, check);
    if (urls.length > 0) checked.imptrackers = urls;
  }
  if (isPresent(jstracker) && jstracker !== '') {
    if (!offersTracker(request, impressionEvent, scriptMethod))
      check.repair(() => 'jstracker was not offered; removed');
    else if (isServableScript(jstracker, check)) checked.jstracker = jstracker;
  }
  if (isPresent(eventtrackers)) {
    const trackers = checkEventTrackers(eventtrackers, request, check);
    if (trackers.length > 0) checked.eventtrackers = trackers;
  }
}

function checkImpressionTrackers(urls: unknown, request: NativeRequest, check: MarkupCheck): string[] {
  const kept: string[] = [];
  if (!Array.isArray(urls)) check.repair(() => 'imptrackers is not a list; removed');
  else if (urls.length > 0 && !offersTracker(request, impressionEvent, imageMethod))
    check.repair(() => 'imptrackers were not offered; removed');
  else for (const url of urls as unknown[]) if (isServable(url, 'impression tracker', check)) kept.push(url);
  return kept;
}

function checkEventTrackers(trackers: unknown, request: NativeRequest, check: MarkupCheck): EventTracker[] {
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
    const checked = checkEventTracker(tracker, request, check);
    if (checked) kept.push(checked);
  }
  return kept;
}

function checkEventTracker(tracker: JsonObject, request: NativeRequest, check: MarkupCheck): EventTracker | undefined {
  const { event, method, url, customdata } = tracker;
  if (typeof event !== 'number' || typeof method !== 'number' || !offersTracker(request, event, method)) {
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
