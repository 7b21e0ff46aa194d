/** Every case of tests/auction/check-bid checks one bid against one impression; values that JSON cannot express follow. */
import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { checkBid, type DropReason } from '../../src/auction/check-bid.ts';
import type { Auction, UncheckedBid } from '../../src/demand/adapter.ts';
import { createRates } from '../../src/money/rates.ts';
import { usd } from '../../src/money/response-price.ts';
import type { BidRequest, Imp } from '../../src/openrtb/bid-request.ts';
import { readBlockingLists } from '../../src/openrtb/blocking-lists.ts';
import { Deals } from '../../src/openrtb/deals.ts';
import type { NativeForm, NativeRequest } from '../../src/openrtb/native-request.ts';
import { expand } from '../support/case-file.ts';
import { mutated } from '../support/mutate.ts';
import { numRuns } from '../support/num-runs.ts';

interface CheckCase {
  description: string;
  native: NativeRequest;
  form: NativeForm;
  /** In dollars; 0 means no floor. */
  floor: number;
  /** Further members of the request: the seller's lists. */
  request?: Partial<BidRequest>;
  /** Blocked attributes of the impression. */
  battr?: number[];
  /** The private marketplace of the impression. */
  pmp?: Imp['pmp'];
  /** US dollars per unit of a currency; none but USD by default. */
  rates?: Record<string, number>;
  bid: UncheckedBid;
  expected: 'valid' | DropReason;
  /** In dollars; the price of the bid by default. */
  price?: number;
  secure?: boolean;
  /** The markup in the response; that of the bid by default. The order of its members does not matter. */
  adm?: string;
}

const folder = fileURLToPath(new URL('check-bid', import.meta.url));
const cases = readdirSync(folder).map((file) => {
  const content = expand(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))) as CheckCase;
  return [file.replace(/\.json$/, ''), content] as const;
});

type Setting = Pick<CheckCase, 'native' | 'form' | 'floor' | 'request' | 'battr' | 'pmp' | 'rates' | 'secure'>;

const auctionOf = ({ native, form, floor, request, battr, pmp, rates = {}, secure = false }: Setting): Auction => {
  const imp: Imp = { id: 'imp-1', native: { request: JSON.stringify(native), ...(battr && { battr }) } };
  const deals = pmp && { deals: new Deals(pmp, createRates(rates)) };
  const whole = { id: 'request-1', imp: [imp], ...request };
  const lists = readBlockingLists(whole);
  const floorMicros = Math.round(floor * 1_000_000);
  const impression = { imp, native, form, secure, floorMicros, ...deals, ...(lists && { lists }) };
  return { request: whole, impressions: [impression], terms: { at: 1, cur: ['USD', ...Object.keys(rates)] } };
};

const check = (bid: UncheckedBid, setting: Setting) =>
  checkBid(bid, auctionOf(setting), { rates: createRates(setting.rates ?? {}), currency: usd });

function summaryOf(checked: ReturnType<typeof checkBid>) {
  if (typeof checked === 'string') return { result: checked };
  if ('reason' in checked) return { result: checked.reason };
  return { result: 'valid', adm: JSON.parse(checked.adm as string) as unknown, priceMicros: checked.priceMicros };
}

test.each(cases)('%s', (_name, one) => {
  const { bid, expected, adm = bid.adm, price = bid.price as number } = one;
  const valid = expected === 'valid' && {
    adm: JSON.parse((adm ?? bid.trustedAdm) as string) as unknown,
    priceMicros: Math.round(price * 1_000_000),
  };
  expect(summaryOf(check(bid, one))).toEqual({ result: expected, ...valid });
});

const reasons = {
  unknown_imp: true,
  invalid_price: true,
  currency: true,
  unknown_deal: true,
  no_deal: true,
  seat_not_allowed: true,
  blocked_seat: true,
  below_deal_floor: true,
  below_floor: true,
  advertiser_not_allowed: true,
  unknown_advertiser: true,
  blocked_advertiser: true,
  blocked_category: true,
  blocked_app: true,
  blocked_attribute: true,
  missing_dsa: true,
  no_adm: true,
  invalid_native: true,
  unsafe_markup: true,
  insecure_markup: true,
} satisfies Record<DropReason, true>;

test.each(['valid', ...Object.keys(reasons)])('%s has a case', (result) => {
  expect(cases.map(([, { expected }]) => expected)).toContain(result);
});

const native: NativeRequest = { ver: '1.2', assets: [{ id: 1, required: 1, title: { len: 25 } }] };
const nativeResponse = { assets: [{ id: 1, title: { text: 'Trail shoes' } }], link: { url: 'https://shoes.example/' } };
const bidOf = (over: UncheckedBid): UncheckedBid => ({ impid: 'imp-1', price: 2.5, currency: 'USD', ...over });

describe('values that JSON cannot express', () => {
  test.each([NaN, Infinity, -Infinity, 2n, -0])('a price of %s is invalid', (price) => {
    const bid = bidOf({ price, adm: JSON.stringify(nativeResponse) });
    expect(check(bid, { native, form: 'unwrapped', floor: 0 })).toBe('invalid_price');
  });
});

describe('arbitrary markup', () => {
  test.each(['wrapped', 'unwrapped'] as const)('deep nesting does not throw, %s', (form) => {
    const deep = `{"ext":${'['.repeat(200_000)}${']'.repeat(200_000)},${JSON.stringify(nativeResponse).slice(1)}`;
    const adm = form === 'wrapped' ? deep : `{"native":${deep}}`;
    expect(() => check(bidOf({ adm }), { native, form, floor: 0 })).not.toThrow();
  });

  test('a mutated response is valid or invalid, and a valid one fills every required asset', () => {
    fc.assert(
      fc.property(mutated(nativeResponse), fc.constantFrom('wrapped', 'unwrapped'), (response, form) => {
        const checked = check(bidOf({ adm: JSON.stringify(response) }), { native, form, floor: 0 });
        if (typeof checked === 'string') return expect(checked).toBe('no_adm');
        if ('reason' in checked) return expect(['invalid_native', 'unsafe_markup']).toContain(checked.reason);
        const root = JSON.parse(checked.adm as string) as typeof nativeResponse & { native?: typeof nativeResponse };
        const unwrapped = form === 'wrapped' ? root.native! : root;
        expect(unwrapped.link.url).toMatch(/^https?:/i);
        expect(unwrapped.assets.map(({ id }) => id)).toEqual([1]);
        expect(Array.from(unwrapped.assets[0]!.title.text).length).toBeLessThanOrEqual(25);
      }),
      { numRuns: numRuns(5_000) },
    );
  });
});
