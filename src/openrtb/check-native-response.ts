/** Checks a partner's native response against the native request, and writes the one that is served from what it checked. */
import { describeType, describeValue } from '../json/describe-value.ts';
import { isNonEmptyString, isObject, isPresent, type JsonObject } from '../json/guards.ts';
import { type JsonBudget, spendJsonBudget } from '../json/json-budget.ts';
import { notJson } from '../json/parse-json.ts';
import { parseWellFormed } from '../json/well-formed.ts';
import { perObject } from '../memory/per-object.ts';
import { checkAsset } from './check-native-asset.ts';
import { checkLink, describeBadLink, notWeb } from './check-native-link.ts';
import { checkTrackers } from './check-native-trackers.ts';
import { type Detail, MarkupCheck, type MarkupProblem } from './markup-check.ts';
import { isWithinNativeSize, maxNativeAssets, maxNativeBytes, maxNativeTrackers } from './native-bounds.ts';
import type { DecodedNativeRequest, NativeAsset, NativeRequest } from './native-request.ts';
import type { Link, NativeResponse, ResponseAsset } from './native-response.ts';
import { isWebUrl } from './web-url.ts';

/** Markup that may be served. `repairs` describes what was removed or cut, for the first twenty. */
export interface CheckedMarkup {
  adm: string;
  repairs: readonly Detail[];
}

/** The impression's native request, and whether its images and trackers must be `https`. */
export interface NativePlacement extends DecodedNativeRequest {
  readonly secure?: boolean;
}

/**
 * Surplus is removed; only a response that cannot be used is a problem. `isApp`: the request is for an app.
 * `budget` is for all native responses of a partner's response together, if they are long.
 */
export function checkNativeResponse(
  adm: unknown,
  { native, form, secure = false }: NativePlacement,
  isApp: boolean,
  budget?: JsonBudget,
): CheckedMarkup | MarkupProblem {
  const response = parse(adm, budget);
  if (typeof response === 'string') return { reason: 'invalid_native', detail: () => response };
  const tooMany = countProblem(response);
  if (tooMany !== undefined) return { reason: 'invalid_native', detail: () => tooMany };
  const check = new MarkupCheck(secure, isApp);
  const checked = rewrite(response, compiledRequest(native), check);
  if (check.problem) return check.problem;
  return { adm: JSON.stringify(form === 'wrapped' ? { native: checked } : checked), repairs: check.repairs };
}

/** The response without its wrapper, or what is wrong with the text. */
function parse(adm: unknown, budget: JsonBudget | undefined): JsonObject | string {
  if (typeof adm !== 'string') return `adm is ${describeType(adm)}, must be a string`;
  if (!isWithinNativeSize(adm)) return `adm is longer than ${maxNativeBytes} bytes`;
  if (budget && spendJsonBudget(adm, budget)) return 'adm has too many values or names, or is nested too deep';
  const root = parseWellFormed(adm); // its escapes are text in the response around it
  if (root === notJson) return 'adm is not JSON';
  if (typeof root === 'symbol') return 'adm is nested too deep';
  if (!isObject(root)) return `adm is ${describeType(root)}, must be a native response`;
  return isObject(root.native) ? root.native : root;
}

/** What there is too much of, as received. */
function countProblem({ assets, link, eventtrackers, imptrackers }: JsonObject): string | undefined {
  if (!isPresent(assets)) assets = [];
  if (!Array.isArray(assets)) return 'assets is not a list';
  if (assets.length > maxNativeAssets) return `${assets.length} assets, at most ${maxNativeAssets} are allowed`;
  let trackers = lengthOf(eventtrackers) + lengthOf(imptrackers) + clickTrackersOf(link);
  for (const asset of assets as unknown[]) if (isObject(asset)) trackers += clickTrackersOf(asset.link);
  return trackers > maxNativeTrackers ? `${trackers} trackers, at most ${maxNativeTrackers} are allowed` : undefined;
}

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
const clickTrackersOf = (link: unknown): number => (isObject(link) ? lengthOf(link.clicktrackers) : 0);

/** What of a native request the check needs; one decoded request is shared by all requests of a placement. */
interface CompiledRequest {
  assets: ReadonlyMap<unknown, NativeAsset>;
  required: readonly NativeAsset[];
  native: NativeRequest;
}

const compiledRequest = perObject((native: NativeRequest): CompiledRequest => ({
  assets: new Map(native.assets.map((asset) => [asset.id, asset])),
  required: native.assets.filter(({ required }) => required === 1),
  native,
}));

/** The members of Native 1.2 that passed. `check` knows whether the result may be served. */
function rewrite(response: JsonObject, request: CompiledRequest, check: MarkupCheck): NativeResponse {
  const { ver, privacy } = response;
  const checked = {} as NativeResponse; // the order of its members is that of the text
  if (isNonEmptyString(ver) && ver.length <= maxVersionLength) checked.ver = ver;
  checked.assets = checkAssets((response.assets ?? []) as unknown[], request, check);
  checked.link = checkMainLink(response.link, check);
  checkTrackers(response, request.native, check, checked);
  if (isWebUrl(privacy)) checked.privacy = privacy;
  else if (isPresent(privacy)) check.repair(() => `privacy ${notWeb(privacy)}; removed`);
  return checked;
}

const maxVersionLength = 8;

/** If several assets have the same id, the first one counts. */
function checkAssets(assets: readonly unknown[], request: CompiledRequest, check: MarkupCheck): ResponseAsset[] {
  const kept: ResponseAsset[] = [];
  const seen = new Set<NativeAsset>();
  for (const asset of assets) {
    const requested = isObject(asset) ? request.assets.get(asset.id) : undefined;
    if (!requested || seen.has(requested)) {
      check.repair(() => surplus(asset, requested));
      continue;
    }
    seen.add(requested);
    const checked = checkAsset(asset as JsonObject, requested, check);
    if (checked) kept.push(checked);
  }
  for (const asset of request.required)
    if (!seen.has(asset)) check.drop('invalid_native', () => missing(asset, assets));
  return kept;
}

function missing({ id }: NativeAsset, assets: readonly unknown[]): string {
  const isInQuotes = assets.some((asset) => isObject(asset) && asset.id === String(id));
  return `asset ${id}: ${isInQuotes ? `its id must be an integer; got "${id}"` : 'missing'} (required)`;
}

function surplus(asset: unknown, requested: NativeAsset | undefined): string {
  if (!isObject(asset)) return `an asset is ${describeType(asset)}; removed`;
  if (!isPresent(asset.id)) return 'asset without an id; removed';
  if (!Number.isInteger(asset.id)) return `asset ${describeValue(asset.id)}: its id must be an integer; removed`;
  return `asset ${describeValue(asset.id)}: ${requested ? 'given more than once; only the first is kept' : 'not requested; removed'}`;
}

function checkMainLink(link: unknown, check: MarkupCheck): Link {
  const none = { url: '' };
  if (!isObject(link) || !isNonEmptyString(link.url)) {
    check.drop('invalid_native', () => 'link.url is missing, or not a string');
    return none;
  }
  const checked = checkLink(link, check, '');
  if (!checked) check.drop('unsafe_markup', () => describeBadLink(link, check));
  return checked ?? none;
}
