/** The port between the auction and its demand: what a partner is shown and what it may offer. */
import type { BidRequest, Imp } from '../openrtb/bid-request.ts';
import type { NativeForm, NativeRequest } from '../openrtb/native-request.ts';

/** One auction as a partner sees it. */
export interface Auction {
  request: BidRequest;
  /** The impressions that can be bid on: an impression priced in a currency that is not traded is left out. */
  impressions: readonly Impression[];
}

export interface Impression {
  imp: Imp;
  native: NativeRequest;
  form: NativeForm;
  floorMicros: number;
}

/** A bid as its partner gave it, money in micros of a US dollar. */
export interface OfferedBid {
  id: string;
  impid: string;
  priceMicros: number;
  adm: string;
  crid: string;
  cid?: string;
  adomain?: string[];
}

/** A demand partner, ready to be asked. Offers at most one bid an impression, none below its floor. */
export interface Partner {
  name: string;
  /** Whether it takes part in test auctions. */
  test: boolean;
  offer(auction: Auction): OfferedBid[];
}
