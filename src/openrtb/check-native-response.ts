/** The native contract: a partner's answer held against the assets and trackers of the request it is for. */
import { isNonEmptyString, isObject, type JsonObject } from '../json/guards.ts';
import type { NativeAsset, NativeForm, NativeRequest } from './native-request.ts';
import { notJson, parseJson } from '../json/parse-json.ts';

/** The answer in the caller's form, as text; undefined where it does not serve the request. */
export function checkNativeResponse(adm: string, request: NativeRequest, form: NativeForm): string | undefined {
  const root = parseJson(adm);
  if (root === notJson || !isObject(root)) return undefined;
  const given: NativeForm = isObject(root.native) ? 'wrapped' : 'unwrapped';
  const answer = given === 'wrapped' ? (root.native as JsonObject) : root;
  if (!serves(answer, request)) return undefined;
  if (given === form) return adm;
  return form === 'wrapped' ? `{"native":${adm.trim()}}` : encode(answer);
}

function encode(answer: JsonObject): string | undefined {
  try {
    return JSON.stringify(answer);
  } catch {
    return undefined; // nested deeper than can be written
  }
}

function serves(answer: JsonObject, request: NativeRequest): boolean {
  const { assets, link } = answer;
  if (!isObject(link) || !isNonEmptyString(link.url) || !Array.isArray(assets)) return false;
  const asked = questionsOf(request);
  const answered = new Set<NativeAsset>();
  for (const asset of assets as unknown[]) {
    if (!isObject(asset)) return false;
    const question = asked.get(asset.id);
    if (!question || answered.has(question) || !fits(asset, question)) return false;
    answered.add(question);
  }
  for (const question of asked.values()) if (question.required === 1 && !answered.has(question)) return false;
  return areOffered(trackersOf(answer), request.eventtrackers);
}

type Questions = ReadonlyMap<unknown, NativeAsset>;

/** Placements repeat their request, and all partners answer the same. */
const known = new WeakMap<NativeRequest, Questions>();

/** The assets by their ids. */
function questionsOf(request: NativeRequest): Questions {
  let questions = known.get(request);
  if (!questions) known.set(request, (questions = new Map(request.assets.map((asset) => [asset.id, asset]))));
  return questions;
}

/** One answered asset: of the kind that was asked for, and within its bounds. */
function fits(asset: JsonObject, { title, img, video, data }: NativeAsset): boolean {
  if (title) return isObject(asset.title) && isTextWithin(asset.title.text, title.len);
  if (img) return isObject(asset.img) && isNonEmptyString(asset.img.url) && isLargeEnough(asset.img, img);
  if (video) return isObject(asset.video) && isNonEmptyString(asset.video.vasttag);
  return isObject(asset.data) && isTextWithin(asset.data.value, data?.len || Infinity);
}

const isTextWithin = (text: unknown, length: number): boolean => isNonEmptyString(text) && text.length <= length;

const isLargeEnough = ({ w, h }: JsonObject, { wmin = 0, hmin = 0 }: NonNullable<NativeAsset['img']>): boolean =>
  isAtLeast(w, wmin) && isAtLeast(h, hmin);

/** A side that was not told cannot be held against the answer. */
const isAtLeast = (side: unknown, least: number): boolean =>
  side === undefined || side === null || (typeof side === 'number' && side >= least);

/** All trackers of an answer as Native 1.2 has them: the older members are trackers of the impression. */
function trackersOf({ eventtrackers, imptrackers, jstracker }: JsonObject): unknown {
  const older = [
    ...(Array.isArray(imptrackers) && imptrackers.length > 0 ? [{ event: 1, method: 1 }] : []),
    ...(isNonEmptyString(jstracker) ? [{ event: 1, method: 2 }] : []),
  ];
  if (eventtrackers === undefined || eventtrackers === null) return older;
  return Array.isArray(eventtrackers) ? [...(eventtrackers as unknown[]), ...older] : eventtrackers;
}

/** Trackers only of the events and methods that the request offers; where it says nothing of them, any. */
function areOffered(trackers: unknown, offered: unknown): boolean {
  if (!Array.isArray(trackers)) return false;
  if (!Array.isArray(offered)) return true;
  return (trackers as unknown[]).every(
    (tracker) => isObject(tracker) && (offered as unknown[]).some((offer) => includes(offer, tracker)),
  );
}

const includes = (offer: unknown, { event, method }: JsonObject): boolean =>
  isObject(offer) && offer.event === event && Array.isArray(offer.methods) && offer.methods.includes(method);
