/** What the seller allows to be bought on an impression: its deals, floors and blocking lists, checked in the order of reasons. */
import { type FractionalFloor, isBelow } from '../money/micros.ts';
import type { Imp } from './bid-request.ts';
import { type BlockingLists, blocksAttribute } from './blocking-lists.ts';
import { boundedDsa, boundedString, maxStringLength } from './bid-bounds.ts';
import type { Deals, OfferedDeal } from './deals.ts';
import { isDomain } from './domain-set.ts';

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
  /** As the partner sent it; absent for an offer that has no price yet. */
  price?: unknown;
  /** Absent: USD. */
  currency?: unknown;
}

/** The members of an impression that the controls read. */
export interface OfferedImpression {
  imp: Imp;
  floorMicros: number;
  /** Present if the floor is between two micros. */
  fractional?: FractionalFloor;
  /** Present if the impression has a private marketplace. */
  deals?: Deals;
  /** Blocking lists of its request; present if they restrict anything. */
  lists?: BlockingLists;
}

/** Whether a bid names a deal. An empty id is none, and one that is too long is removed. */
const namesDeal = ({ dealid }: Offer): boolean =>
  dealid !== undefined &&
  dealid !== null &&
  dealid !== '' &&
  !(typeof dealid === 'string' && dealid.length > maxStringLength);

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
  const seat = boundedString(offer.buyerSeat);

  if (deal?.floorMicros === Infinity) return 'currency';
  if (!deal && namesDeal(offer)) return 'unknown_deal';
  if (!deal && impression.deals?.isPrivate) return 'no_deal';
  if (lists?.allowsSeat(seat) === false || deal?.allowsSeat(seat) === false) return 'seat_not_allowed';
  if (lists?.blocksSeat(offer.buyerSeat)) return 'blocked_seat';
  if (deal && isBelow(priceMicros, offer, deal)) return 'below_deal_floor';
  if (isBelow(priceMicros, offer, impression)) return 'below_floor';
  if (!lists && !deal && !impression.imp.native.battr) return undefined;

  const domains = domainsOf(offer.adomain);
  if (deal?.allowsAdvertiser(domains) === false) return 'advertiser_not_allowed';
  if (lists?.hasBlockedAdvertisers && domains.length === 0) return 'unknown_advertiser';
  if (lists?.blocksAdvertiser(domains)) return 'blocked_advertiser';
  if (lists?.blocksCategory(offer.cat, offer.cattax)) return 'blocked_category';
  if (lists?.blocksApp(offer.bundle)) return 'blocked_app';
  if (blocksAttribute(impression.imp.native.battr, offer.attr)) return 'blocked_attribute';
  if (lists?.requiresDsa && !boundedDsa(offer.ext)) return 'missing_dsa';
  return undefined;
}

const none: readonly string[] = [];

/** None if an entry is not a domain: the advertisers of such a bid are not known. */
const domainsOf = (adomain: unknown): readonly string[] =>
  Array.isArray(adomain) && adomain.every(isDomain) ? adomain : none;
