/** Requests that are valid here and exceed a partner's own limits, so that the partner responds with 413 or 431. */
import { seededRandom } from '../../lib/random.ts';
import { type Attack, once, sendAtAllowedRate } from '../attack.ts';
import { bidRequest, site } from '../traffic/bid-request.ts';
import { post } from '../traffic/http-request.ts';

const random = seededRandom(4);
const word = (): string => `word${random.integer(0, 1e9)}`;

/** Comma-separated, at least this long. */
function keywords(length: number, separator = ', '): string {
  let text = word();
  while (text.length < length) text += separator + word();
  return text;
}

const withSite = (changes: object, more: object = {}): Buffer =>
  post(JSON.stringify(bidRequest('partner-limits', { site: site('partner-limits', changes), ...more })));

const requests = once(() => [
  ...Array.from({ length: 20 }, () => withSite({ keywords: keywords(20_000) })),
  ...Array.from({ length: 20 }, () => withSite({ keywords: keywords(8_100) })),
  ...Array.from({ length: 20 }, () => withSite({ keywords: keywords(8_100, ' ') })),
  withSite({ page: `https://long.example/?${'q'.repeat(70_000)}` }),
  withSite({}, { ext: { filler: 'x'.repeat(90_000) } }),
  withSite({}, { user: { id: 'x', data: [{ segment: Array.from({ length: 2_000 }, () => ({ id: word() })) }] } }),
  withSite({}, { device: { ua: 'Mozilla/5.0 '.repeat(7_000) } }),
]);

/** Half of the requests have long keywords, half a large body. */
const largeBodies = 4;

export const partnerLimits: Attack = {
  name: 'partner-limits',
  title: 'keywords of 8 and 20 kB, bodies of 70 to 90 kB that a partner rejects with 413 or 431',
  addresses: 1,
  start(context) {
    const prepared = requests();
    const withKeywords = prepared.length - largeBodies;
    sendAtAllowedRate(context, (index) =>
      index % 2 === 0 ? prepared[(index / 2) % withKeywords]! : prepared[withKeywords + ((index >> 1) % largeBodies)]!,
    );
  },
};
