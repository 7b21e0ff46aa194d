/** The markup of campaigns by native request. Placements repeat their request, so markup is built once for each. */
import { rawJsonString, type RawJson } from '../../json/raw-json.ts';
import { perObject } from '../../memory/per-object.ts';
import { buildNativeResponse } from '../../openrtb/build-native-response.ts';
import type { NativeCreative } from '../../openrtb/native-creative.ts';
import type { NativePlacement } from '../../openrtb/check-native-response.ts';
import type { NativeRequest } from '../../openrtb/native-request.ts';

/** Per native request, each of at most `maxMarkupLength` characters: 80 MB per partner for the 500 requests that are memoized. */
const maxCampaigns = 40;
const maxMarkupLength = 2_000;

/** Cached for a request that the campaign cannot serve within the bounds of a native response. */
const unservable = rawJsonString('');

export class CampaignMarkup {
  /** By the decoded request, which is the same object as long as its text is memoized. A long text never is. */
  readonly #byRequest = perObject((_native: NativeRequest) => new Map<NativeCreative, RawJson>());
  readonly #bySecureRequest = perObject((_native: NativeRequest) => new Map<NativeCreative, RawJson>());

  /** Undefined if the campaign cannot serve the request. */
  of(creative: NativeCreative, placement: NativePlacement): RawJson | undefined {
    const { native, secure } = placement;
    const byCreative = secure ? this.#bySecureRequest(native) : this.#byRequest(native);
    let markup = byCreative.get(creative);
    if (markup === undefined) {
      const text = buildNativeResponse(placement, creative);
      markup = text === undefined ? unservable : rawJsonString(text);
      const isSmall = text === undefined || text.length <= maxMarkupLength;
      if (isSmall && byCreative.size < maxCampaigns) byCreative.set(creative, markup);
    }
    return markup === unservable ? undefined : markup;
  }
}
