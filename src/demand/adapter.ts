/** The port between the auction and its demand: an adapter turns an auction into HTTP calls and responses into bids. No I/O. */
import type { BreakerSignal } from './circuit-breaker.ts';
import type Joi from 'joi';
import type { RawJson } from '../json/raw-json.ts';
import type { BidRequest, Imp } from '../openrtb/bid-request.ts';
import type { NativeForm, NativeRequest } from '../openrtb/native-request.ts';
import type { OfferedImpression } from '../openrtb/seller-controls.ts';
import type { AuctionTrace, TraceHeaders } from '../trace/tracer.ts';
import type { CountedReasons } from './count-reasons.ts';

/** One auction as a partner may see it: `request` is redacted where a privacy signal requires it. */
export interface Auction {
  request: BidRequest;
  /** The impressions up for auction; one whose floor is in a currency without a rate is left out. */
  impressions: readonly Impression[];
  /** What partners receive about the auction besides the request. */
  terms: PartnerTerms;
  /** Under GDPR, what vendors with consent see instead. Absent if every partner sees the same. */
  consented?: ConsentedView;
  /** The trace that the calls of the auction belong to. */
  trace?: AuctionTrace;
  /** The address that sent the request. */
  client?: string;
}

export interface ConsentedView {
  auction: Auction;
  hasConsent: (gvlId: number) => boolean;
}

export interface PartnerTerms {
  /** The auction type in force. */
  at: 1 | 2;
  /** The currencies in which partners may bid. */
  cur: readonly string[];
  /** The exchange's own node, which is added to the request's supply chain. */
  schainNode?: SupplyChainNode;
}

/** A node of OpenRTB's supply chain. */
export interface SupplyChainNode {
  /** The domain of the exchange. */
  asi: string;
  /** The id that the exchange has given to the seller: the publisher id. */
  sid: string;
  rid: string;
  hp: 1;
}

export interface Impression extends OfferedImpression {
  imp: Imp;
  native: NativeRequest;
  form: NativeForm;
  /** `imp.secure`: images and trackers must be `https`. */
  secure?: boolean;
  floorMicros: number;
}

/** The calls of one auction to one partner. A caller decides how many there are: together they weigh as much as one. */
export interface CallGroup {
  first: BidderCall;
  /** What has counted for the circuit breaker: a success and a failure at most. */
  counted: Set<BreakerSignal>;
}

/** One HTTP call to a partner. It is sent to the host of `url`, even if the partner's endpoint has another host. */
export interface BidderCall {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** The size limit of the response. The calls of one auction to one partner share what a single call may have. */
  maxBytes?: number;
  /** The impressions that the call requests bids for. */
  impressions: readonly Impression[];
  /** Parameters of the bid request that the adapter ignored because they are invalid. They are logged. */
  ignoredParams?: readonly string[];
  /** Set by the exchange, if the auction has several calls to the partner. */
  group?: CallGroup;
  /** Set by the exchange. Not part of `headers`, which decide whether two calls are equal. */
  traceHeaders?: TraceHeaders;
  /** Set by the exchange: the address that sent the bid request. */
  client?: string;
}

/** Whether the auction has called the partner already: one caller's requests do not take the connections and calls that others need. */
export const isFurtherCall = (call: BidderCall): boolean => call.group !== undefined && call.group.first !== call;

/** A bid as the partner sent it: no member is checked yet. */
export interface UncheckedBid {
  id?: unknown;
  impid?: unknown;
  price?: unknown;
  currency?: unknown;
  adm?: unknown;
  /** Instead of `adm`: markup that the adapter itself built for this impression. It is not checked again. */
  trustedAdm?: string | RawJson;
  nurl?: unknown;
  burl?: unknown;
  lurl?: unknown;
  adomain?: unknown;
  bundle?: unknown;
  crid?: unknown;
  cid?: unknown;
  cat?: unknown;
  cattax?: unknown;
  attr?: unknown;
  language?: unknown;
  dealid?: unknown;
  exp?: unknown;
  ext?: unknown;
  /** The `seat` that the partner's response gave; for house and product search the partner's name. */
  buyerSeat?: unknown;
}

/** A response that cannot be used at all. `explain` is for reports; what it quotes of the partner must be bounded. */
export class InvalidResponse {
  readonly explain: () => string;

  constructor(explain: () => string) {
    this.explain = explain;
  }
}

/**
 * Requests bids from one partner. Bad input from the partner is a value (`InvalidResponse`, or a bid that the auction drops);
 * an exception is a defect and fails the request with a 500.
 */
export type Bidder = RemoteBidder | LocalBidder;

/** In words, or counted by impression. */
export type NoBidReason = string | CountedReasons;

/** For the report of an auction. */
interface NoBidExplainer {
  /**
   * Why there is no call or no bid, as far as the adapter decides it. If the partner was called, `response` is its response and `auction` has only
   * the impressions of that call. Undefined if only the partner knows.
   */
  explainNoBid?(auction: Auction, response?: unknown): NoBidReason | undefined;
}

export interface RemoteBidder extends NoBidExplainer {
  /** The calls for an auction, none if there is nothing to request; `tmaxMs` is the time that the partner has. */
  toRequests(auction: Auction, tmaxMs: number): BidderCall[];
  /** The bids in a response of status 200; `response` is its body as parsed JSON. */
  toBids(call: BidderCall, response: unknown, auction: Auction): UncheckedBid[] | InvalidResponse;
}

/** A partner whose demand is held in memory: no call, no waiting. */
export interface LocalBidder extends NoBidExplainer {
  bidLocally(auction: Auction): UncheckedBid[];
}

/** The members of the partners file that every partner has. */
export interface PartnerSettings {
  name: string;
  adapter: string;
  /** Whether it takes part in test auctions. */
  test: boolean;
  timeoutMs?: number;
  maxQps?: number;
  /** The IAB vendor id of a remote partner. Without it, the partner receives no personal data where GDPR applies. */
  gvlId?: number;
}

/** A partner that is called over HTTP always has an endpoint. */
export interface RemotePartnerSettings extends PartnerSettings {
  endpoint: string;
}

/** An adapter: Joi rules for the members that it adds to a partner's settings, and the bidder for one partner. */
export type Adapter<Settings extends object = object> = RemoteAdapter<Settings> | LocalAdapter<Settings>;

export interface RemoteAdapter<Settings extends object = object> {
  kind: 'remote';
  /** `endpoint` is added if it is not among them; an adapter lists it to restrict it further. */
  settings: Joi.PartialSchemaMap<Settings & { endpoint: string }>;
  createBidder(settings: RemotePartnerSettings & Settings): RemoteBidder;
}

export interface LocalAdapter<Settings extends object = object> {
  kind: 'local';
  settings: Joi.PartialSchemaMap<Settings>;
  createBidder(settings: PartnerSettings & Settings): LocalBidder;
}
