/** Adapter cases as data: a partner's settings and a bid request in; its calls, and what it makes of the answers, out. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPartnersFile } from '../../src/config/partners-file.ts';
import {
  type Auction,
  type Bidder,
  type HttpCall,
  invalidResponse,
  type UncheckedBid,
  type PartnerSettings,
} from '../../src/demand/adapter.ts';
import { adapters } from '../../src/demand/registry.ts';
import { buildAuction } from '../../src/exchange/build-auction.ts';
import { validateBidRequest } from '../../src/openrtb/validate-bid-request.ts';
import { expand } from './case-file.ts';

export interface AdapterCase {
  /** The file without its ending: the claim. */
  name: string;
  description: string;
  /** The partner as the partners file would have it. */
  settings: unknown;
  /** The body of the bid request, which must be valid. */
  request: unknown;
  /** The time that the partner has; 300 where it does not matter. */
  tmaxMs?: number;
  /** All calls to the last header, bodies as parsed JSON; `local` is an adapter that answers by itself. */
  expected: { calls: ExpectedCall[] | 'local' };
  /** One for each call, as parsed JSON. */
  answers?: unknown[];
  /** The members that matter of every bid, in the order of the calls; `invalid` is an answer that cannot be used. */
  bids?: unknown[] | 'invalid';
}

export interface ExpectedCall {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: unknown;
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

export interface Talk {
  bidder: Bidder;
  auction: Auction;
  /** `local` where the adapter needs none. */
  calls: HttpCall[] | 'local';
}

/** Asks as the exchange would: settings by the schema of the partners file, the auction out of a validated request. */
export function startTalk({ settings, request, tmaxMs = 300 }: AdapterCase): Talk {
  const partner = readSettings(settings);
  const bidder = adapters[partner.adapter]!.createBidder(partner);
  const auction = openCase(request);
  const calls = 'bidLocally' in bidder ? 'local' : bidder.toRequests(auction, tmaxMs);
  return { bidder, auction, calls };
}

/** The bids in the answers to all calls, with their markup as text; `invalid` where an answer cannot be used. */
export function readAnswers({ bidder, auction, calls }: Talk, answers: unknown[] = []): UncheckedBid[] | 'invalid' {
  if ('bidLocally' in bidder) return bidder.bidLocally(auction).map(withMarkup);
  const offers: UncheckedBid[] = [];
  for (const [index, call] of (calls as HttpCall[]).entries()) {
    const bids = bidder.toBids(call, expand(answers[index]), auction);
    if (bids === invalidResponse) return 'invalid';
    offers.push(...bids.map(withMarkup));
  }
  return offers;
}

/** What the caller would get of an answer that the adapter built. */
export function withMarkup(bid: UncheckedBid): UncheckedBid {
  const { built } = bid;
  if (built === undefined) return bid;
  return { ...bid, adm: typeof built === 'string' ? built : (JSON.parse(built.rawJSON) as string) };
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

function openCase(body: unknown): Auction {
  const validation = validateBidRequest(expand(body));
  if (!validation.valid) throw new Error(`the request of the case is invalid: ${JSON.stringify(validation.error)}`);
  return buildAuction(validation.request.bidRequest, validation.request.natives);
}
