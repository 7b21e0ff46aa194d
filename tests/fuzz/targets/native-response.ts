/** A partner's native response, checked against a native request. The input is both texts, with a line break between. */
import { isObject, type JsonObject } from '../../../src/json/guards.ts';
import { parseJson } from '../../../src/json/parse-json.ts';
import { checkNativeResponse } from '../../../src/openrtb/check-native-response.ts';
import { decodeNativeRequest } from '../../../src/openrtb/decode-native-request.ts';
import { mutateBytes } from '../generate/mutate-bytes.ts';
import { mutateJson } from '../generate/mutate-json.ts';
import type { Random } from '../generate/random.ts';
import { check, type FuzzTarget, linear } from '../target.ts';
import { nativeRequestText } from './native-request.ts';

const link = { url: 'https://adv.example/' };
const eventtrackers = [{ event: 1, method: 1, url: 'https://adv.example/pixel' }];
const request = {
  native: {
    assets: [
      { id: 1, required: 1, title: { len: 90 } },
      { id: 2, data: { type: 2 } },
    ],
  },
};
const responses = [
  { assets: [{ id: 1, title: { text: 'An offer' } }], link },
  { native: { ver: '1.2', assets: [{ id: 1, title: { text: 'An offer' } }], link, eventtrackers } },
  { assets: [{ id: 0, data: { value: 'A text' } }], link, eventtrackers, imptrackers: ['https://adv.example/p'] },
  { assets: [{ id: 1, img: { url: 'https://adv.example/1.jpg', w: 300, h: 300 } }], link, jstracker: '<script>' },
  {
    native: {
      assets: [
        { id: 1, title: { text: 'An offer' } },
        { id: 2, img: { url: 'https://adv.example/1.jpg', w: 1_200, h: 627 } },
      ],
      link: { ...link, clicktrackers: ['https://adv.example/click'] },
    },
  },
].map((response) => Buffer.from(JSON.stringify(response)));

const requests = [
  request,
  { ver: '1.2', assets: [{ id: 0, data: { type: 2 } }], eventtrackers: [{ event: 1, methods: [1] }] },
  { assets: [{ id: 1, img: { wmin: 100 } }] },
].map((one) => Buffer.from(JSON.stringify(one)));

const maxBytes = 400 * 1024;
const maxItems = 6_000;
const lineBreak = 0x0a;

const maxResponseLength = 64 * 1024;
const maxAssets = 50;
const maxTrackers = 50;
/** Around an unwrapped response. */
const wrapperLength = '{"native":}'.length;
/** Numbers may be longer than they were received: 1e20 is written with all its digits. */
const maxNumbersLength = 400 * 20;
const maxRepairs = 20;

export const target: FuzzTarget = {
  weight: 12,
  maxMicros: linear(2_000, 80),
  verdicts: ['accepted', 'rejected', 'request invalid'],
  generate: (random) => {
    const given = random.chance(0.7) ? random.pick(requests) : nativeRequestText(random);
    return Buffer.concat([given, Buffer.of(lineBreak), responseText(random)]).subarray(0, maxBytes);
  },
  start: () => ({
    run: (input) => {
      const end = input.indexOf(lineBreak);
      const text = end === -1 ? requests[0]! : input.subarray(0, end);
      return judge(text.toString(), input.subarray(end + 1).toString());
    },
  }),
};

function responseText(random: Random): Buffer {
  const bytes = random.pick(responses);
  if (random.chance(0.2)) return bytes;
  if (random.chance(0.2)) return mutateBytes(random, bytes, responses, maxBytes);
  return Buffer.from(
    mutateJson(random, bytes.toString(), random.chance(0.9) ? 300 : 80_000, random.chance(0.9) ? 80 : maxItems),
  );
}

function judge(requestText: string, adm: string): string {
  const decoded = decodeNativeRequest(requestText);
  if ('row' in decoded) return 'request invalid';
  const { form } = decoded;
  const result = checkNativeResponse(adm, decoded, false);
  if ('reason' in result) {
    result.detail();
    return 'rejected';
  }
  const { adm: checked, repairs } = result;
  for (const detail of repairs) detail();
  check(repairs.length <= maxRepairs, `${repairs.length} repairs are noted`);
  check(adm.length <= maxResponseLength, `a response of ${adm.length} characters is accepted`);
  check(
    checked.length <= maxResponseLength + wrapperLength + maxNumbersLength,
    `a response of ${checked.length} characters is sent on`,
  );
  const root = parseJson(checked);
  check(isObject(root), 'what is sent on is not an object');
  check(isObject(root.native) === (form === 'wrapped'), `what is sent on is not ${form}`);
  const response = form === 'wrapped' ? (root.native as JsonObject) : root;
  check(lengthOf(response.assets) <= maxAssets, `${lengthOf(response.assets)} assets are accepted`);
  const trackers = lengthOf(response.eventtrackers) + lengthOf(response.imptrackers);
  check(trackers <= maxTrackers, `${trackers} trackers are accepted`);
  const again = checkNativeResponse(checked, decoded, false);
  check('adm' in again && again.adm === checked, 'what is sent on does not pass the check again');
  return 'accepted';
}

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
