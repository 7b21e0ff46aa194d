/** Requests that claim a new publisher, address, native request and consent string every time. */
import { seededRandom } from '../../lib/random.ts';
import { type Attack, sendAtAllowedRate } from '../attack.ts';
import { bidRequest, impression, nativeRequest } from '../traffic/bid-request.ts';
import { randomText } from '../traffic/gpp.ts';
import { post } from '../traffic/http-request.ts';

const random = seededRandom(7);
const address = (): string => Array.from({ length: 4 }, () => random.integer(1, 254)).join('.');

export const rotatingIdentities: Attack = {
  name: 'rotating-identities',
  isOptional: true,
  title: 'a new publisher, X-Forwarded-For, native request and consent string per request',
  addresses: 1,
  start: (context) =>
    sendAtAllowedRate(context, () => {
      const native = nativeRequest([{ id: random.integer(1, 1e9), required: 1, title: { len: 25 } }]);
      const body = bidRequest(`rotating-${random.integer(0, 1e9)}`, {
        imp: [impression(native)],
        user: { id: randomText(20, random), ext: { consent: `C${randomText(400, random)}` } },
        regs: { gdpr: 1 },
      });
      return post(JSON.stringify(body), [`X-Forwarded-For: ${address()}, ${address()}`]);
    }),
};
