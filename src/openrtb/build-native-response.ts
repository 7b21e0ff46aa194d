/** Builds the native response for a request's assets from the creative of an advertiser. */
import { isWithinNativeSize, maxNativeBytes } from './native-bounds.ts';
import type { NativePlacement } from './check-native-response.ts';
import { impressionEvent, imageMethod, offersTracker } from './check-native-trackers.ts';
import { fillAsset, type NativeCreative } from './native-creative.ts';
import type { NativeForm, NativeRequest } from './native-request.ts';
import { meets, requirementsOf } from './native-requirements.ts';
import type { Link, NativeResponse, ResponseAsset } from './native-response.ts';
import { isHttpsUrl } from './web-url.ts';

/**
 * The response as text, wrapped like the request; undefined if the creative cannot fill a required asset, or any asset.
 * A response above 64 KiB is built without its last optional assets.
 */
export function buildNativeResponse(
  { native: request, form, secure = false }: NativePlacement,
  creative: NativeCreative,
): string | undefined {
  if (!meets(requirementsOf(request, secure), creative)) return undefined;
  const assets: ResponseAsset[] = [];
  for (const asset of request.assets) {
    const filled = fillAsset(asset, creative, secure);
    if (filled) assets.push(filled);
  }
  const trackers = secure ? creative.impressionTrackers?.filter(isHttpsUrl) : creative.impressionTrackers;
  const response: NativeResponse = {
    ver: request.ver ?? '1.2',
    assets,
    link: linkOf(creative.landing, creative.clickTrackers),
    ...impressionTracking(request, trackers),
  };
  const text = encode(response, form);
  return isWithinNativeSize(text) ? text : shorten(response, Buffer.byteLength(text), request, form);
}

const encode = (response: NativeResponse, form: NativeForm): string =>
  JSON.stringify(form === 'wrapped' ? { native: response } : response);

/** Undefined if it is too long even without the optional assets. */
function shorten(
  response: NativeResponse,
  bytes: number,
  { assets: requested }: NativeRequest,
  form: NativeForm,
): string | undefined {
  const required = new Set(requested.filter((asset) => asset.required === 1).map(({ id }) => id));
  const kept: ResponseAsset[] = [];
  let excess = bytes - maxNativeBytes;
  for (const asset of response.assets.toReversed()) {
    if (excess <= 0 || required.has(asset.id)) kept.unshift(asset);
    else excess -= Buffer.byteLength(JSON.stringify(asset)) + 1; // and its comma
  }
  return excess > 0 || kept.length === 0 ? undefined : encode({ ...response, assets: kept }, form);
}

const linkOf = (url: string, clicktrackers: readonly string[] = []): Link =>
  clicktrackers.length > 0 ? { url, clicktrackers } : { url };

/** In `eventtrackers` if the request offers that; a request that says nothing about trackers gets the older `imptrackers`. */
function impressionTracking(request: NativeRequest, urls: readonly string[] = []): Partial<NativeResponse> {
  if (urls.length === 0) return {};
  if (!request.eventtrackers) return { imptrackers: urls };
  if (!offersTracker(request, impressionEvent, imageMethod)) return {};
  return { eventtrackers: urls.map((url) => ({ event: impressionEvent, method: imageMethod, url })) };
}
