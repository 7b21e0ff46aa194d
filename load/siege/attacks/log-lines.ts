/** Rejected requests that each cause a log line, as long and as different as possible. The siege does not read the log. */
import { seededRandom } from '../../lib/random.ts';
import { type Attack, sendAtAllowedRate } from '../attack.ts';
import { bidRequest, site } from '../traffic/bid-request.ts';
import { post } from '../traffic/http-request.ts';

const random = seededRandom(6);
const long = 'p'.repeat(50_000);

/** One problem per request, each with its own reason. */
const problems: ((id: string) => object)[] = [
  (id) => ({ site: site(`${id}${long}`), imp: [] }),
  (id) => ({ site: site(id), at: 7 }),
  (id) => ({ site: site(id), tmax: long }),
  (id) => ({ site: site(id, { domain: `${long.slice(0, 5_000)}.` }) }),
  (id) => ({ site: site(id), id: `${id}${long}` }),
  (id) => ({ site: site(id), device: { [`${id}\n\u0007`]: 1, ua: 5 } }),
];

export const logLines: Attack = {
  name: 'log-lines',
  title: 'rejected requests with ever new publisher ids of up to 50 kB',
  addresses: 1,
  withUnreadLog: true,
  start: (context) =>
    sendAtAllowedRate(context, (index) => {
      const id = `publisher-${random.integer(0, 1e9)}`;
      return post(JSON.stringify(bidRequest(id, problems[index % problems.length]!(id))));
    }),
};
