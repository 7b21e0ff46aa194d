/** Cases in which the request decides what a response costs: many impressions, assets and trackers against many products and bids. */
import type { AuditCase } from './audit-case.ts';
import { httpRequest, httpResponse } from './messages.ts';
import { sampleBidResponse, sampleProducts, sampleRequests, severalCallsRequest } from './samples.ts';
import { seeded, seedMark } from './seeded.ts';

const maxResponseBytes = 1024 * 1024;
/** Bids per impression, products per response. */
const maxBids = 50;
const maxProducts = 500;
const maxImpressions = 10;

/** Lengths of lists to try, largest first: the audit uses the largest that the exchange accepts. */
const lengths = [5_000, 1_000, 500, 200, 100, 50, 20, 10];

/** Whether the exchange accepts a request. */
export type Accepts = (request: Buffer) => Promise<boolean>;

interface NativeLists {
  assets?: object[];
  eventtrackers?: object[];
}

const [sample] = sampleRequests as [{ imp: [object] }];
const titleAsset = { id: 1, required: 1, title: { len: 90 } };

/** The seed is part of the native request, so that it is not in a cache. */
function requestWith(impressions: number, { assets = [], eventtrackers }: NativeLists, more: object = {}): Buffer {
  const native = {
    ver: '1.2',
    seed: seedMark,
    assets: [titleAsset, ...assets],
    ...(eventtrackers && { eventtrackers }),
  };
  const imp = Array.from({ length: impressions }, (_, index) => ({
    ...sample.imp[0],
    id: String(index + 1),
    native: { request: JSON.stringify({ ...native, impression: index }) },
  }));
  return httpRequest(JSON.stringify({ ...sample, imp, ...more }));
}

const listOf = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));

const dataAssets = (length: number, type: number, required: 0 | 1): object[] =>
  listOf(length, (index) => ({ id: index + 2, required, data: { type } }));

const offers = (length: number): object[] => listOf(length, (index) => ({ event: 500 + index, methods: [500, 1] }));

/** The request for the longest list that the exchange accepts. */
async function longestAccepted(accepts: Accepts, write: (length: number) => Buffer): Promise<Buffer> {
  for (const length of lengths) {
    const request = write(length);
    if (request.length <= 256 * 1024 && (await accepts(request))) return request;
  }
  throw new Error('the exchange accepts no length of the list');
}

const [product] = sampleProducts.products as [object];
const [bid] = sampleBidResponse.seatbid[0]!.bid as [object];

const bidsOf = (bids: object[]): string =>
  JSON.stringify({ ...sampleBidResponse, seatbid: [{ seat: 's', bid: bids }] });
const productsOf = (products: object[]): string => JSON.stringify({ products });

const nativeResponse = (more: object): string =>
  JSON.stringify({ assets: [{ id: 1, title: { text: 'Shoes' } }], link: { url: 'https://a.example/' }, ...more });

const manyTrackers = (length: number): object[] =>
  listOf(length, (index) => ({ event: 500 + (index % 5_000), method: 1, url: 'https://t.example/' }));

/** Texts as long as a response with this many products can have. */
const longProducts = (count: number): string => {
  const description = 'A long text about shoes. '.repeat(maxResponseBytes / count / 25 - 20);
  return productsOf(listOf(count, (index) => ({ ...product, id: `p${index}`, description })));
};

interface Mix {
  value: string;
  request: Buffer;
  bids?: string;
  products?: string;
}

/** Asks the exchange for the limits of its lists, so that the cases stay at them when they change. */
export async function mixedCases(accepts: Accepts): Promise<AuditCase[]> {
  return [...(await productMixes(accepts)), ...(await bidMixes(accepts))].map(toCase);
}

type Longest = (impressions: number, lists: (length: number) => NativeLists) => Promise<Buffer>;

const longestWith =
  (accepts: Accepts): Longest =>
  (impressions, lists) =>
    longestAccepted(accepts, (length) => requestWith(impressions, lists(length)));

async function productMixes(accepts: Accepts): Promise<Mix[]> {
  const longest = longestWith(accepts);
  const descriptions = (length: number) => ({ assets: dataAssets(length, 2, 0) });
  const tenTimesDescriptions = await longest(maxImpressions, descriptions);
  const lastUnservable = (length: number) => ({
    assets: [...dataAssets(length - 2, 2, 0), { id: 0, required: 1, data: { type: 500 } }],
  });
  const one = longProducts(1);
  const all = longProducts(maxProducts);
  return [
    { value: 'many description assets, one long product', request: await longest(1, descriptions), products: one },
    { value: '10 × many description assets, one long product', request: tenTimesDescriptions, products: one },
    { value: '10 × many description assets, 500 products', request: tenTimesDescriptions, products: all },
    {
      value: '10 unservable impressions, 500 products',
      request: requestWith(maxImpressions, { assets: dataAssets(8, 500, 1) }),
      products: all,
    },
    {
      value: '10 × many assets, the last unservable, 500 products',
      request: await longest(maxImpressions, lastUnservable),
      products: all,
    },
    {
      value: '10 price filters, one long product each',
      request: httpRequest(JSON.stringify(severalCallsRequest)),
      products: one,
    },
  ];
}

async function bidMixes(accepts: Accepts): Promise<Mix[]> {
  const manyOffers = await longestWith(accepts)(1, (length) => ({ eventtrackers: offers(length) }));
  const ten = requestWith(maxImpressions, {});
  const test = requestWith(maxImpressions, {}, { test: 1 });
  const trackers = nativeResponse({ eventtrackers: manyTrackers(3_000) });
  const fewTrackers = nativeResponse({ eventtrackers: manyTrackers(10) });
  const large = nativeResponse({ ext: 'x'.repeat(18_000) });
  const small = nativeResponse({});
  const deepMarkup = `{"native":${small.slice(0, -1)},"ext":${'['.repeat(4_000)}${']'.repeat(4_000)}}}`;
  const all = listOf(maxImpressions * maxBids, (index) => ({
    ...bid,
    id: `b${index}`,
    impid: String((index % maxImpressions) + 1),
  }));
  const emptySeats = listOf(90_000, () => ({ bid: [] }));
  return [
    { value: 'many trackers offered, many given', request: manyOffers, bids: bidsOf([{ ...bid, adm: trackers }]) },
    {
      value: 'many trackers offered, 50 bids with 10 each',
      request: manyOffers,
      bids: bidsOf(listOf(maxBids, () => ({ ...bid, adm: fewTrackers }))),
    },
    { value: '10 impressions, 50 bids each', request: ten, bids: bidsOf(all.map((one) => ({ ...one, adm: small }))) },
    {
      value: '500 bids for unknown impressions',
      request: ten,
      bids: bidsOf(all.map((one) => ({ ...one, impid: 'x' }))),
    },
    { value: 'test mode, 500 rejected bids', request: test, bids: bidsOf(all.map((one) => ({ ...one, adm: 'x' }))) },
    { value: 'more bids than allowed', request: ten, bids: bidsOf(listOf(1_000, () => ({ ...bid, adm: 'x' }))) },
    { value: 'empty seats', request: ten, bids: JSON.stringify({ ...sampleBidResponse, seatbid: emptySeats }) },
    {
      value: '50 bids, wrapped markup nested 4,000 levels deep',
      request: ten,
      bids: bidsOf(listOf(maxBids, () => ({ ...bid, adm: deepMarkup }))),
    },
    {
      value: '50 bids with 18 KiB of markup each',
      request: ten,
      bids: bidsOf(listOf(maxBids, () => ({ ...bid, adm: large }))),
    },
  ];
}

function toCase({ value, request, bids, products }: Mix): AuditCase {
  return {
    part: `combined: ${value}`,
    value: 'as the part says',
    sizes: { request: request.length, bids: bids?.length, products: products?.length },
    prepare: () => {
      const requestOf = seeded(request);
      const responses = {
        ...(bids !== undefined && { bids: httpResponse(bids) }),
        ...(products !== undefined && { products: httpResponse(products) }),
      };
      return (seed) => ({ request: requestOf(seed), ...responses });
    },
  };
}
