/** Requests that are valid here and exceed a partner's own limits, so that the partner responds with 413 or 431. */
import { seededRandom } from '../../lib/random.ts';
import { type Attack, once, sendAtAllowedRate } from '../attack.ts';
import { bidRequest, site } from '../traffic/bid-request.ts';
import { post } from '../traffic/http-request.ts';

const random = seededRandom(4);
const word = (): string => `word${random.integer(0, 1e9)}`;

/** At least this long. */
function keywords(length: number, separator = ', '): string {
  let text = word();
  while (text.length < length) text += separator + word();
  return text;
}

const withSite = (changes: object, more: object = {}): Buffer =>
  post(JSON.stringify(bidRequest('partner-limits', { site: site('partner-limits', changes), ...more })));

const words = (count: number) => Array.from({ length: count }, word);

/** Half of the bursts have large bodies, half long keywords. */
const requests = once(() => ({
  large: [
    withSite({ page: `https://long.example/?${'q'.repeat(33_000)}` }),
    withSite({}, { ext: { filler: 'x'.repeat(70_000) } }),
    withSite({}, { user: { id: 'x', data: [{ segment: words(1_500).map((id) => ({ id })) }] } }),
    withSite({}, { device: { ua: 'Mozilla/5.0 '.repeat(3_000) } }),
  ],
  withKeywords: Array.from({ length: 60 }, (_, index) =>
    withSite({ keywords: keywords([8_100, 20_000, 8_100][index % 3]!, [', ', ', ', ' '][index % 3]) }),
  ),
}));

/** Enough failures in a row to open a circuit breaker in each of two workers. */
const burst = 25;

export const partnerLimits: Attack = {
  name: 'partner-limits',
  title: 'bursts of bodies of 33 to 70 kB and of keywords of 8 and 20 kB that a partner rejects with 413 or 431',
  addresses: 1,
  start(context) {
    const { large, withKeywords } = requests();
    const next = (index: number) => {
      const kind = Math.floor(index / burst) % 2 === 0 ? large : withKeywords;
      return kind[index % kind.length]!;
    };
    sendAtAllowedRate(context, next, burst);
  },
};
