/** Adapter cases as data: the settings of a partner, a bid request, the expected calls, the responses and the expected bids. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPartnersFile } from '../../src/config/partners-file.ts';
import {
  type Auction,
  type Bidder,
  type BidderCall,
  InvalidResponse,
  type UncheckedBid,
  type PartnerSettings,
  type RemotePartnerSettings,
} from '../../src/demand/adapter.ts';
import { adapters } from '../../src/demand/registry.ts';
import { buildAuction } from '../../src/exchange/build-auction.ts';
import { createRates } from '../../src/money/rates.ts';
import { validateBidRequest } from '../../src/openrtb/validate-bid-request.ts';
import { expand } from './case-file.ts';

export interface AdapterCase {
  /** The file name without its extension: the expected behaviour. */
  name: string;
  description: string;
  /** The partner as in the partners file. */
  settings: unknown;
  /** The body of the bid request, which must be valid. */
  request: unknown;
  /** The settings of the exchange: the auction type without `at` (1 by default), US dollars per unit, its domain. */
  given?: { defaultAuctionType?: 1 | 2; dollarsPer?: Record<string, number>; exchangeDomain?: string };
  /** The time limit of the partner; 300 by default. */
  tmaxMs?: number;
  /** All calls with all headers, bodies as parsed JSON; `local` for a local adapter. */
  expected: { calls: ExpectedCall[] | 'local' };
  /** One per call, as parsed JSON. */
  responses?: unknown[];
  /** The members to compare of every bid, in the order of the calls; `invalid` means a response that cannot be used. */
  bids?: unknown[] | 'invalid';
  /** How the adapter explains that there is no call or no bid, or that the response is invalid; null if only the partner knows. */
  why?: string | null;
}

export interface ExpectedCall {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: unknown;
  /** The parameters that the adapter ignored; none by default. */
  ignoredParams?: string[];
}

export const casesFolder = fileURLToPath(new URL('../demand/cases', import.meta.url));

export function readAdapterCases(adapter: string): AdapterCase[] {
  return readdirSync(join(casesFolder, adapter))
    .toSorted()
    .map((file) => {
      const content = JSON.parse(readFileSync(join(casesFolder, adapter, file), 'utf8')) as Omit<AdapterCase, 'name'>;
      return { name: file.replace(/\.json$/, ''), ...content };
    });
}

export interface Requested {
  bidder: Bidder;
  auction: Auction;
  /** `local` if the adapter makes no calls. */
  calls: BidderCall[] | 'local';
}

/** Requests bids as the exchange does: with the settings and the request validated. */
export function requestBids({ settings, request, given, tmaxMs = 300 }: AdapterCase): Requested {
  const partner = readSettings(settings);
  const bidder = adapters[partner.adapter]!.createBidder(partner as RemotePartnerSettings);
  const auction = createAuction(request, given);
  const calls = 'bidLocally' in bidder ? 'local' : bidder.toRequests(auction, tmaxMs);
  return { bidder, auction, calls };
}

/** The bids in the responses to all calls, with their markup as text, or the first response that cannot be used. */
export function readResponses(
  { bidder, auction, calls }: Requested,
  responses: unknown[] = [],
): UncheckedBid[] | InvalidResponse {
  if ('bidLocally' in bidder) return bidder.bidLocally(auction).map(withMarkup);
  const bids: UncheckedBid[] = [];
  for (const [index, call] of (calls as BidderCall[]).entries()) {
    const read = bidder.toBids(call, expand(responses[index]), auction);
    if (read instanceof InvalidResponse) return read;
    bids.push(...read.map(withMarkup));
  }
  return bids;
}

/** The bid with the markup that the adapter built as its `adm`, as in the bid response. */
export function withMarkup(bid: UncheckedBid): UncheckedBid {
  const { trustedAdm } = bid;
  if (trustedAdm === undefined) return bid;
  return { ...bid, adm: typeof trustedAdm === 'string' ? trustedAdm : (JSON.parse(trustedAdm.rawJSON) as string) };
}

function readSettings(settings: unknown): PartnerSettings {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-case-'));
  try {
    const path = join(folder, 'partners.json');
    writeFileSync(path, JSON.stringify({ partners: [settings] }));
    const read = readPartnersFile(path);
    if ('problems' in read) throw new Error(read.problems.join('\n'));
    return read.partners[0]!;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function createAuction(body: unknown, given: AdapterCase['given'] = {}): Auction {
  const validation = validateBidRequest(expand(body));
  if (!validation.valid) throw new Error(`the request of the case is invalid: ${JSON.stringify(validation.error)}`);
  const { bidRequest, natives } = validation.request;
  const { defaultAuctionType = 1, dollarsPer = {}, exchangeDomain } = given;
  const type = bidRequest.at ?? defaultAuctionType;
  return buildAuction(bidRequest, natives, { type, rates: createRates(dollarsPer), exchangeDomain }).auction;
}
