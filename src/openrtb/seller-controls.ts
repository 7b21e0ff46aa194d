/** What the seller allows to be bought on an impression: its deals, floors and blocking lists, checked in the order of reasons. */
import { isNonEmptyString, isObject } from '../json/guards.ts';
import type { Imp } from './bid-request.ts';
import { type BlockingLists, blocksAttribute } from './blocking-lists.ts';
import type { Deals, OfferedDeal } from './deals.ts';

/** Why the seller does not allow a bid, in the order of the checks. */
export type ControlReason =
  /** The floor of the deal is in a currency without a rate. */
  | 'currency'
  | 'unknown_deal'
  | 'no_deal'
  | 'seat_not_allowed'
  | 'blocked_seat'
  | 'below_deal_floor'
  | 'below_floor'
  | 'advertiser_not_allowed'
  | 'unknown_advertiser'
  | 'blocked_advertiser'
  | 'blocked_category'
  | 'blocked_app'
  | 'blocked_attribute'
  | 'missing_dsa';

/** The members of a bid that the controls read. None is checked by type yet. */
export interface Offer {
  dealid?: unknown;
  buyerSeat?: unknown;
  adomain?: unknown;
  bundle?: unknown;
  cat?: unknown;
  cattax?: unknown;
  attr?: unknown;
  ext?: unknown;
}

/** The members of an impression that the controls read. */
export interface OfferedImpression {
  imp: Imp;
  floorMicros: number;
  /** Present if the impression has a private marketplace. */
  deals?: Deals;
  /** Of its request; present if it restricts anything. */
  lists?: BlockingLists;
}

/** Whether a bid names a deal. An empty id is none. */
const namesDeal = ({ dealid }: Offer): boolean => dealid !== undefined && dealid !== null && dealid !== '';

/** The deal that a bid names; undefined if it names none, or one that is not offered. */
export const dealOf = (offer: Offer, { deals }: OfferedImpression): OfferedDeal | undefined =>
  deals !== undefined && namesDeal(offer) ? deals.find(offer.dealid) : undefined;

/** The first control that the bid violates; undefined if the seller allows it. */
export function violatedControl(
  offer: Offer,
  priceMicros: number,
  impression: OfferedImpression,
): ControlReason | undefined {
  const { lists } = impression;
  const deal = dealOf(offer, impression);
  const seat = isNonEmptyString(offer.buyerSeat) ? offer.buyerSeat : undefined;

  if (deal?.floorMicros === Infinity) return 'currency';
  if (!deal && namesDeal(offer)) return 'unknown_deal';
  if (!deal && impression.deals?.isPrivate) return 'no_deal';
  if (lists?.allowsSeat(seat) === false || deal?.allowsSeat(seat) === false) return 'seat_not_allowed';
  if (lists?.blocksSeat(offer.buyerSeat)) return 'blocked_seat';
  if (deal && priceMicros < deal.floorMicros) return 'below_deal_floor';
  if (priceMicros < impression.floorMicros) return 'below_floor';
  if (!lists && !deal && !impression.imp.native.battr) return undefined;

  const domains = domainsOf(offer.adomain);
  if (deal?.allowsAdvertiser(domains) === false) return 'advertiser_not_allowed';
  if (lists?.hasBlockedAdvertisers && domains.length === 0) return 'unknown_advertiser';
  if (lists?.blocksAdvertiser(domains)) return 'blocked_advertiser';
  if (lists?.blocksCategory(offer.cat, offer.cattax)) return 'blocked_category';
  if (lists?.blocksApp(offer.bundle)) return 'blocked_app';
  if (blocksAttribute(impression.imp.native.battr, offer.attr)) return 'blocked_attribute';
  if (lists?.requiresDsa && !(isObject(offer.ext) && isObject(offer.ext.dsa))) return 'missing_dsa';
  return undefined;
}

const none: readonly string[] = [];

/** None if an entry is not a domain: the advertisers of such a bid are not known. */
const domainsOf = (adomain: unknown): readonly string[] =>
  Array.isArray(adomain) && adomain.every(isNonEmptyString) ? adomain : none;
