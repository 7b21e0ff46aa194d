/** What campaigns answer to native requests. Placements repeat theirs, so an answer is built once for each. */
import { buildNativeResponse, type NativeCreative } from '../../openrtb/build-native-response.ts';
import type { DecodedNativeRequest, NativeRequest } from '../../openrtb/native-request.ts';
import { rawJsonString, type RawJson } from '../../json/raw-json.ts';

/** Together at most some 20 MB for a partner; when full it starts anew. */
const mostKept = 5_000;
const longestKept = 2_000;

/** Kept for a request that the campaign cannot serve. */
const unfit = rawJsonString('');

export class CampaignMarkup {
  /** By the decoded request, which is one and the same as long as its text is remembered. */
  #known = new WeakMap<NativeRequest, Map<NativeCreative, RawJson>>();
  #kept = 0;

  /** The markup, or undefined where the campaign cannot serve the request. */
  of(material: NativeCreative, request: DecodedNativeRequest): RawJson | undefined {
    let answer = this.#known.get(request.native)?.get(material);
    if (answer === undefined) {
      const markup = buildNativeResponse(request, material);
      answer = markup === undefined ? unfit : rawJsonString(markup);
      if (!markup || markup.length <= longestKept) this.#keep(material, request.native, answer);
    }
    return answer === unfit ? undefined : answer;
  }

  #keep(material: NativeCreative, native: NativeRequest, answer: RawJson): void {
    if (this.#kept++ >= mostKept) {
      this.#known = new WeakMap();
      this.#kept = 1;
    }
    const toThis = this.#known.get(native);
    if (toThis) toThis.set(material, answer);
    else this.#known.set(native, new Map([[material, answer]]));
  }
}
