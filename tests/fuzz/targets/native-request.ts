/** The text of `native.request`: decoded, validated, and served with a creative of long texts. */
import { isObject } from '../../../src/json/guards.ts';
import { buildNativeResponse } from '../../../src/openrtb/build-native-response.ts';
import { checkNativeResponse } from '../../../src/openrtb/check-native-response.ts';
import type { NativeCreative } from '../../../src/openrtb/native-creative.ts';
import type { DecodedNativeRequest } from '../../../src/openrtb/native-request.ts';
import { validateBidRequest } from '../../../src/openrtb/validate-bid-request.ts';
import { fullRequest } from '../../support/full-request.ts';
import { mutateBytes } from '../generate/mutate-bytes.ts';
import { mutateJson } from '../generate/mutate-json.ts';
import type { Random } from '../generate/random.ts';
import { checkError } from '../oracle.ts';
import { check, type FuzzTarget, linear, unmutated } from '../target.ts';

const trackers = [
  { event: 1, methods: [1, 2] },
  { event: 2, methods: [1] },
];
const texts = [
  fullRequest.imp[0]!.native.request,
  fullRequest.imp[1]!.native.request,
  JSON.stringify({ ver: '1.2', assets: [{ id: 0, data: { type: 2 } }], eventtrackers: trackers, privacy: 1 }),
  JSON.stringify({
    native: { assets: [{ id: 1, required: 1, img: { wmin: 100, hmin: 100 } }], eventtrackers: trackers },
  }),
];
export const nativeRequests = texts.map((text) => Buffer.from(text));

const maxBytes = 256 * 1024;
const maxText = 4_000;
const maxItems = 3_000;
const cacheEntries = 501;

const maxAssets = 50;
const maxTrackers = 20;
const maxTextLength = 2_000;
/** 50 assets, each with a text of 2,000 characters or an image URL. */
const maxBuiltLength = 256 * 1024;

/** The texts are longer than any that may be sent on. */
const creative: NativeCreative = {
  landing: 'https://adv.example/',
  title: 'A title '.repeat(2_000),
  image: { url: 'https://adv.example/1.jpg', w: 1_200, h: 627 },
  data: new Map([1, 2, 6, 12].map((type) => [type, 'A text '.repeat(10_000)])),
  impressionTrackers: ['https://adv.example/pixel'],
};

export const target: FuzzTarget = {
  weight: 12,
  maxMicros: linear(3_000, 80),
  verdicts: ['served', 'not served', 'invalid'],
  generate: (random) => Buffer.from(nativeRequestText(random).subarray(0, maxBytes)),
  start: () => ({
    run: (input) => judge(input.toString()),
    evictCaches: () => {
      for (let entry = 0; entry < cacheEntries; entry++) judge(`{"assets":[{"id":${entry},"title":{"len":90}}]}`);
    },
  }),
};

export function nativeRequestText(random: Random): Buffer {
  const bytes = random.pick(nativeRequests);
  if (random.chance(0.1)) return bytes;
  if (random.chance(0.2)) return mutateBytes(random, bytes, nativeRequests, maxBytes);
  const changed = Buffer.from(mutateJson(random, bytes.toString(), maxText, random.chance(0.1) ? maxItems : 60));
  return random.chance(1 - unmutated / 2) ? changed : mutateBytes(random, changed, nativeRequests, maxBytes);
}

function judge(text: string): string {
  const validation = validateBidRequest({ id: '1', imp: [{ id: '1', native: { request: text } }] });
  if (!validation.valid) {
    checkError(validation.error);
    return 'invalid';
  }
  const decoded = validation.request.natives[0]!;
  const { assets, eventtrackers } = decoded.native;
  check(assets.length <= maxAssets, `${assets.length} assets are valid`);
  const offered = Array.isArray(eventtrackers) ? eventtrackers.length : 0;
  check(offered <= maxTrackers, `${offered} event trackers are valid`);
  return serve(decoded);
}

/** What the exchange builds for a request serves the request. */
function serve(decoded: DecodedNativeRequest): string {
  const built = buildNativeResponse(decoded, creative);
  if (built === undefined) return 'not served';
  check(built.length <= maxBuiltLength, `a native response of ${built.length} characters is built`);
  checkTexts(JSON.parse(built));
  const small = buildNativeResponse(decoded, { ...creative, title: 'A title', data: new Map([[2, 'A text']]) });
  if (small === undefined) return 'served';
  const checked = checkNativeResponse(small, decoded, false);
  check('adm' in checked && checked.adm === small, 'the check rejects or repairs what the exchange built');
  return 'served';
}

function checkTexts(value: unknown): void {
  if (typeof value === 'string') check(value.length <= maxTextLength, `a text of ${value.length} characters is built`);
  if (Array.isArray(value) || isObject(value)) for (const member of Object.values(value)) checkTexts(member);
}
