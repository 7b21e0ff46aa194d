/** What a campaign answers to native requests. Placements repeat theirs, so an answer is built once for each. */
import { buildNativeAnswer, type NativeMaterial } from '../../openrtb/native-answer.ts';
import type { DecodedNativeRequest, NativeRequest } from '../../openrtb/native-request.ts';

/** Kept for a request that the campaign cannot serve. */
const unfit = '';

export class CampaignAnswers {
  readonly #material: NativeMaterial;
  /** By the decoded request, which is one and the same as long as its text is remembered. */
  readonly #known = new WeakMap<NativeRequest, string>();

  constructor(material: NativeMaterial) {
    this.#material = material;
  }

  /** The markup, or undefined where the campaign cannot serve the request. */
  to(request: DecodedNativeRequest): string | undefined {
    let answer = this.#known.get(request.native);
    if (answer === undefined) {
      answer = buildNativeAnswer(request, this.#material) ?? unfit;
      this.#known.set(request.native, answer);
    }
    return answer === unfit ? undefined : answer;
  }
}
