/** Cases with as many entries in the lists of bids as a response may have, against full lists of the seller. */
import type { AuditCase } from './audit-case.ts';
import { httpRequest, httpResponse } from './messages.ts';
import { sampleBidResponse, sampleRequests, severalCallsRequest } from './samples.ts';
import { seeded, seedMark } from './seeded.ts';

/** Those that are compared, and as many as fit: a response may have 50,000 values. */
const counts = [10_000, 49_000];
/** Entries of one list that are kept. */
const keptEntries = 50;
/** With these lists they have 10,000 entries. */
const bidCount = 200;
const maxSellerEntries = 1_000;
/** Of the lists of an impression, all impressions of a request together. */
const maxImpressionEntries = 2_000;

const many = <T>(count: number, entry: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => entry(i));

type SampleRequest = typeof severalCallsRequest;

/** The sample's bid passes all lists, so that every entry is compared with each of them. */
function withSellerLists({ imp, ...request }: SampleRequest): SampleRequest {
  const perImpression = Math.min(maxSellerEntries, maxImpressionEntries / imp.length);
  const wadomain = ['a', ...many(perImpression - 1, (index) => `allowed-${index}.example`)];
  return {
    ...request,
    imp: imp.map((one) => ({
      ...one,
      native: { ...one.native, battr: many(perImpression, (index) => 1_000_000 + index) },
      pmp: { private_auction: 0, deals: [{ ...one.pmp.deals[0]!, wadomain }] },
    })),
    badv: many(maxSellerEntries, (index) => `blocked-${index}.example`),
    bcat: many(maxSellerEntries, (index) => `IAB${index}`),
  } as SampleRequest;
}

const [siteRequest] = sampleRequests as [SampleRequest];
const requests = [
  { name: '', text: JSON.stringify(withSellerLists(siteRequest)) },
  { name: ', in test mode', text: JSON.stringify({ ...withSellerLists(siteRequest), test: 1 }) },
];
const severalImpressions = JSON.stringify(withSellerLists(severalCallsRequest));

/** The start of an entry differs, because a name is compared from its end. */
const entries: Record<string, (index: number) => string | number> = {
  adomain: (index) => `${index.toString(36)}.a`,
  cat: (index) => `A-${index.toString(36)}`,
  attr: (index) => index,
};

const [{ bid: bids, ...seat }] = sampleBidResponse.seatbid as [(typeof sampleBidResponse.seatbid)[0]];
const responseWith = (all: object[]): string =>
  JSON.stringify({ ...sampleBidResponse, bidid: seedMark, seatbid: [{ ...seat, bid: all }] });

export function* listCases(): Generator<AuditCase> {
  for (const [list, entry] of Object.entries(entries)) {
    for (const [deal, members] of [
      ['', { adomain: ['a'], dealid: undefined }],
      [', with a deal', { adomain: ['a'] }],
    ] as const) {
      const part = `bid response: ${list} and full lists of the seller${deal}`;
      for (const count of counts) {
        const long = responseWith([{ ...bids[0], ...members, [list]: many(count, entry) }]);
        for (const { name, text } of requests) yield caseOf(part + name, `a list of ${count} entries`, text, long);
      }
      const bidOf = (index: number) => ({
        ...bids[0],
        ...members,
        impid: String((index % 10) + 1),
        adm: '{}',
        [list]: many(keptEntries, (at) => entry(index * keptEntries + at)),
      });
      const value = `${bidCount} bids with lists of ${keptEntries} entries`;
      yield caseOf(part, value, severalImpressions, responseWith(many(bidCount, bidOf)), true);
    }
  }
}

function caseOf(part: string, value: string, request: string, response: string, hasSeveralCalls = false): AuditCase {
  return {
    part,
    value,
    sizes: { request: request.length, bids: response.length, products: undefined, hasSeveralCalls },
    prepare: () => {
      const responseOf = seeded(httpResponse(response));
      return (seed) => ({ request: httpRequest(request), bids: responseOf(seed) });
    },
  };
}
