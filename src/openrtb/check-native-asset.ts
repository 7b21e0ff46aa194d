/** Checks one asset of a native response against the requested asset: its kind, its text or image, and its link. */
import { describeType, describeValue } from '../json/describe-value.ts';
import { isNonEmptyString, isObject, isPresent, type JsonObject } from '../json/guards.ts';
import { checkLink, describeBadLink, notWeb } from './check-native-link.ts';
import type { Detail, MarkupCheck, MarkupReason } from './markup-check.ts';
import { cutText, maxTextLength } from './native-bounds.ts';
import { sizeProblem } from './native-image.ts';
import type { NativeAsset } from './native-request.ts';
import type { ResponseAsset, ResponseImage } from './native-response.ts';
import { isHttps, isWebUrl } from './web-url.ts';

/** Undefined if the asset cannot be used: it is left out, and if it is required the bid is dropped. */
export function checkAsset(asset: JsonObject, requested: NativeAsset, check: MarkupCheck): ResponseAsset | undefined {
  const { id } = requested;
  const { required, link } = asset;
  const checked: ResponseAsset = required === 0 || required === 1 ? { id, required } : { id };
  const problem = fill(checked, asset, requested, check);
  if (problem !== undefined) {
    const [reason, detail] = problem;
    if (requested.required === 1) check.drop(reason, () => `asset ${id}: ${detail()} (required)`);
    else check.repair(() => `asset ${id}: ${detail()}; removed`);
    return undefined;
  }
  if (isPresent(link)) addLink(checked, link, check);
  return checked;
}

/** Why an asset cannot be used. */
type AssetProblem = readonly [MarkupReason, Detail];

const invalid = (detail: Detail): AssetProblem => ['invalid_native', detail];

/** Adds the requested kind to `checked`. A second kind is left out. */
function fill(
  checked: ResponseAsset,
  asset: JsonObject,
  requested: NativeAsset,
  check: MarkupCheck,
): AssetProblem | undefined {
  if (requested.title) return fillTitle(checked, asset, requested.title.len, check);
  if (requested.img) return fillImage(checked, asset, requested.img, check);
  if (requested.video) return fillVideo(checked, asset);
  return fillData(checked, asset, requested.data?.len || Infinity, check);
}

function fillTitle(
  checked: ResponseAsset,
  asset: JsonObject,
  maxLength: number,
  check: MarkupCheck,
): AssetProblem | undefined {
  const { title } = asset;
  if (!isObject(title)) return wrongKind(asset, 'title');
  if (!isNonEmptyString(title.text)) return notText('title.text', title.text);
  checked.title = { text: cut(title.text, maxLength, checked.id, check) };
  return undefined;
}

function fillData(
  checked: ResponseAsset,
  asset: JsonObject,
  maxLength: number,
  check: MarkupCheck,
): AssetProblem | undefined {
  const { data } = asset;
  if (!isObject(data)) return wrongKind(asset, 'data');
  if (!isNonEmptyString(data.value)) return notText('data.value', data.value);
  checked.data = { value: cut(data.value, maxLength, checked.id, check) };
  if (Number.isInteger(data.type)) checked.data.type = data.type as number;
  return undefined;
}

function cut(text: string, maxLength: number, id: number, check: MarkupCheck): string {
  const kept = cutText(text, maxLength);
  if (kept.length < text.length)
    check.repair(() => `asset ${id}: text is longer than ${describeLength(Math.min(maxLength, maxTextLength))}; cut`);
  return kept;
}

const describeLength = (characters: number): string => `${characters} ${characters === 1 ? 'character' : 'characters'}`;

/** The markup in `vasttag` is not checked. */
function fillVideo(checked: ResponseAsset, asset: JsonObject): AssetProblem | undefined {
  const { video } = asset;
  if (!isObject(video)) return wrongKind(asset, 'video');
  if (!isNonEmptyString(video.vasttag)) return notText('video.vasttag', video.vasttag);
  checked.video = { vasttag: video.vasttag };
  return undefined;
}

function fillImage(
  checked: ResponseAsset,
  asset: JsonObject,
  requested: NonNullable<NativeAsset['img']>,
  check: MarkupCheck,
): AssetProblem | undefined {
  const { img } = asset;
  if (!isObject(img)) return wrongKind(asset, 'img');
  const { url, type } = img;
  const w = img.w ?? undefined;
  const h = img.h ?? undefined;
  if (!isNonEmptyString(url)) return notText('img.url', url);
  if (!isSide(w) || !isSide(h))
    return invalid(() => `image size is ${describeValue(w)} by ${describeValue(h)}; it must be numbers, or absent`);
  const problem = sizeProblem(w, h, requested);
  if (problem !== undefined) return invalid(() => problem);
  if (!isWebUrl(url)) return ['unsafe_markup', () => `img.url ${notWeb(url)}`];
  if (check.secure && !isHttps(url))
    return ['insecure_markup', () => `img.url ${describeValue(url)} is not https, which imp.secure requires`];
  const image: ResponseImage = { url };
  if (w !== undefined) image.w = w;
  if (h !== undefined) image.h = h;
  if (Number.isInteger(type)) image.type = type as number;
  checked.img = image;
  return undefined;
}

const isSide = (side: unknown): side is number | undefined =>
  side === undefined || (Number.isFinite(side) && (side as number) >= 0);

const kinds = ['title', 'img', 'video', 'data'] as const;

function wrongKind(asset: JsonObject, requested: (typeof kinds)[number]): AssetProblem {
  if (isPresent(asset[requested]))
    return invalid(() => `${requested} is ${describeType(asset[requested])}, must be an object`);
  const given = kinds.find((kind) => isPresent(asset[kind]));
  return invalid(() =>
    given === undefined ? `it has no ${requested}` : `it has ${given}, but ${requested} was requested`,
  );
}

function notText(name: string, value: unknown): AssetProblem {
  if (!isPresent(value)) return invalid(() => `${name} is missing`);
  return invalid(() => (value === '' ? `${name} is empty` : `${name} is ${describeType(value)}, must be a string`));
}

function addLink(checked: ResponseAsset, link: unknown, check: MarkupCheck): void {
  const owner = `asset ${checked.id}: `;
  const kept = isObject(link) ? checkLink(link, check, owner) : undefined;
  if (kept) checked.link = kept;
  else
    check.repair(
      () => `${owner}${isObject(link) ? describeBadLink(link, check) : 'link is not an object'}; link removed`,
    );
}
