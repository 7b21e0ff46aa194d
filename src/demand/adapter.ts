/** The port between the auction and its demand. An adapter turns an auction into calls and answers into bids; no I/O. */
import type Joi from 'joi';
import type { BidRequest, Imp } from '../openrtb/bid-request.ts';
import type { NativeForm, NativeRequest } from '../openrtb/native-request.ts';
import type { RawJson } from '../json/raw-json.ts';

/** One auction as a partner sees it: `request` is what partners may know, minimised where privacy asks for it. */
export interface Auction {
  request: BidRequest;
  /** The impressions that can be bid on: one priced in a currency that is not traded is left out. */
  impressions: readonly Impression[];
}

export interface Impression {
  imp: Imp;
  native: NativeRequest;
  form: NativeForm;
  floorMicros: number;
}

/** One question to a partner. */
export interface HttpCall {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** The impressions it is about. */
  impressions: readonly Impression[];
  /** What the adapter had to leave out of the request, for the log. */
  ignoredParams?: readonly string[];
}

/** A bid as its partner gave it: nothing of it is checked yet. */
export interface UncheckedBid {
  id?: unknown;
  impid?: unknown;
  price?: unknown;
  currency?: unknown;
  adm?: unknown;
  /** Instead of `adm`: markup that the adapter itself built for this very request, so nothing in it needs a check. */
  built?: string | RawJson;
  nurl?: unknown;
  burl?: unknown;
  adomain?: unknown;
  crid?: unknown;
  cid?: unknown;
  cat?: unknown;
  exp?: unknown;
}

/** An answer that cannot be used as a whole. */
export const invalidResponse: unique symbol = Symbol('invalid answer');

/** How one partner is asked. None of the methods throws, whatever an answer holds. */
export type Bidder = RemoteBidder | LocalBidder;

export interface RemoteBidder {
  /** The calls for an auction, none where there is nothing to ask; `tmaxMs` is the time the partner has. */
  toRequests(auction: Auction, tmaxMs: number): HttpCall[];
  /** The bids in an answer of status 200, which is parsed JSON. */
  toBids(call: HttpCall, answer: unknown, auction: Auction): UncheckedBid[] | typeof invalidResponse;
}

/** Of a partner whose demand is held here: it takes no call, and no time worth speaking of. */
export interface LocalBidder {
  bidLocally(auction: Auction): UncheckedBid[];
}

/** What every partner has, whichever its adapter. */
export interface PartnerSettings {
  name: string;
  adapter: string;
  /** Whether it takes part in test auctions. */
  test: boolean;
  timeoutMs?: number;
  maxQps?: number;
}

/** An adapter: the members it adds to a partner's settings, and how a partner of such settings is spoken to. */
export interface Adapter {
  settings: Joi.SchemaMap;
  createBidder(settings: PartnerSettings): Bidder;
}
