/** A partner's response, parsed: read by its adapter, checked by the auction and sent on to the caller. */
import { notJson, parseJson } from '../../../src/json/parse-json.ts';
import { fullRequest } from '../../support/full-request.ts';
import { createFakeExchange } from '../fake-demand.ts';
import { mutateBytes } from '../generate/mutate-bytes.ts';
import { mutateJson } from '../generate/mutate-json.ts';
import { checkOutcome } from '../oracle.ts';
import { type FuzzTarget, linear } from '../target.ts';

const { id } = fullRequest;
const request = { ...fullRequest, tmax: undefined };
const adm = JSON.stringify({
  native: {
    assets: [
      { id: 1, title: { text: 'An offer' } },
      { id: 2, img: { url: 'https://adv.example/1.jpg', w: 1_200, h: 627 } },
    ],
    link: { url: 'https://adv.example/' },
  },
});
const bid = { id: 'b1', impid: 'imp-1', price: 2.5, adm, crid: 'c1', adomain: ['adv.example'], cat: ['596'], cid: 'c' };
const notices = { nurl: 'https://adv.example/win?p=${AUCTION_PRICE}', burl: 'https://adv.example/bill', exp: 300 };
const deal = {
  dealid: 'deal-1',
  adomain: ['shoes.example'],
  bundle: 'com.shoes',
  cattax: 1,
  attr: [1],
  ext: { dsa: {} },
};
const product = {
  id: 'p1',
  title: 'Trail shoes',
  url: 'https://shop.example/p1',
  cpm: 1.5,
  price: 99,
  currency: 'EUR',
};
const more = { description: 'Light.', brand: 'Fjell', imageUrl: 'https://shop.example/1.jpg', imageWidth: 1_200 };
export const partnerBodies = [
  { id, cur: 'USD', seatbid: [{ seat: 's', bid: [{ ...bid, ...notices }] }] },
  { id, seatbid: [{ bid: [bid, { ...bid, id: 'b2', impid: 'imp-2', price: 1 }] }, { bid: [{ ...bid, price: '1' }] }] },
  { id, cur: 'usd', seatbid: [{ seat: 'agency-1', bid: [{ ...bid, ...deal }] }] },
  { id, nbr: 2 },
  {
    products: [
      { ...product, ...more },
      { ...product, id: 'p2', advertiserDomain: 'shop.example', imageHeight: 627 },
    ],
  },
  { products: [] },
].map((body) => Buffer.from(JSON.stringify(body)));

const maxBytes = 1024 * 1024;

export const target: FuzzTarget = {
  weight: 6,
  maxMicros: linear(3_000, 80),
  verdicts: ['bid', 'no_bid', 'not JSON'],
  generate: (random) => {
    const bytes = random.pick(partnerBodies);
    if (random.chance(0.15)) return mutateBytes(random, bytes, partnerBodies, maxBytes);
    const maxText = random.chance(0.95) ? 500 : 500_000;
    const maxItems = random.chance(0.95) ? 80 : 5_000;
    return Buffer.from(mutateJson(random, bytes.toString(), maxText, maxItems)).subarray(0, maxBytes);
  },
  start: () => {
    let body: unknown;
    const handle = createFakeExchange(async () => ({ result: 'bid', body }), ['openrtb', 'product-search']);
    return {
      run: (input) => {
        body = parseJson(input.toString());
        if (body === notJson) return 'not JSON';
        return handle(request, performance.now()).then(checkOutcome);
      },
    };
  },
};
