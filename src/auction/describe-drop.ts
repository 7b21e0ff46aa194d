/** Describes why a bid was dropped, for the report of test mode: which rule, and which value of the bid broke it. */
import type { Auction, Impression, UncheckedBid } from '../demand/adapter.ts';
import { describeValue } from '../json/describe-value.ts';
import { maxPrice } from '../money/max-price.ts';
import type { Deal } from '../openrtb/bid-request.ts';
import { boundedString } from '../openrtb/bid-bounds.ts';
import { blocksAttribute } from '../openrtb/blocking-lists.ts';
import { isDomain } from '../openrtb/domain-set.ts';
import { dealOf } from '../openrtb/seller-controls.ts';
import type { BidReason } from './check-bid.ts';

interface Dropped {
  bid: UncheckedBid;
  auction: Auction;
}

/** At most this many entries of a list are named. */
const maxNamed = 5;

/** Markup has a detail of its own, from its check. */
export const describeDrop = (reason: BidReason, bid: UncheckedBid, auction: Auction): string =>
  details[reason]({ bid, auction });

const details: Record<BidReason, (dropped: Dropped) => string> = {
  unknown_imp: ({ bid: { impid } }) =>
    impid === undefined ? 'the bid has no impid' : `no impression ${describeValue(impid)} is up for auction`,
  invalid_price: ({ bid }) =>
    `price must be a number of at least 0.000001, also in the currency of the response, and at most ${maxPrice.toLocaleString('en-US')} US dollars; got ${describeValue(bid.price)}`,
  currency: (dropped) => `no exchange rate for ${untradedOf(dropped)}`,
  unknown_deal: ({ bid: { dealid } }) =>
    typeof dealid === 'string'
      ? `the impression does not offer the deal ${describeValue(dealid)}`
      : `dealid must be a string; got ${describeValue(dealid)}`,
  no_deal: () => 'the auction is private, and the bid has no dealid',
  seat_not_allowed: (dropped) =>
    `${seatOf(dropped.bid)} is not in wseat of the ${impressionOf(dropped)?.lists?.allowsSeat(boundedString(dropped.bid.buyerSeat)) === false ? 'request' : 'deal'}`,
  blocked_seat: ({ bid }) => `${seatOf(bid)} is in bseat`,
  below_deal_floor: (dropped) => describeBelow(dropped.bid, "the deal's floor", termsOf(dropped)),
  below_floor: (dropped) => describeBelow(dropped.bid, 'the floor', impressionOf(dropped)?.imp),
  advertiser_not_allowed: (dropped) => {
    const deal = offeredDealOf(dropped);
    return `adomain ${entriesOf(dropped.bid.adomain, (entry) => typeof entry !== 'string' || deal?.allowsAdvertiser([entry]) === false)} is not within wadomain of the deal`;
  },
  unknown_advertiser: ({ bid }) => `the request has badv, and ${noDomain(bid.adomain)}`,
  blocked_advertiser: (dropped) => {
    const lists = impressionOf(dropped)?.lists;
    return `badv blocks adomain ${entriesOf(dropped.bid.adomain, (entry) => typeof entry === 'string' && lists?.blocksDomain(entry))}`;
  },
  blocked_category: (dropped) => {
    const { cat, cattax } = dropped.bid;
    const lists = impressionOf(dropped)?.lists;
    return `bcat blocks cat ${entriesOf(cat, (entry) => lists?.blocksCategory([entry], cattax))}`;
  },
  blocked_app: ({ bid }) => `bapp blocks bundle ${describeValue(bid.bundle)}`,
  blocked_attribute: (dropped) => {
    const battr = impressionOf(dropped)?.imp.native.battr;
    return `battr blocks attr ${entriesOf(dropped.bid.attr, (entry) => blocksAttribute(battr, [entry]))}`;
  },
  missing_dsa: () =>
    'regs.ext.dsa.dsarequired needs ext.dsa, an object of at most 4,096 characters, which the bid does not have',
  no_adm: () => 'the bid has no adm',
};

/** Why there is no domain to compare with `badv`. */
function noDomain(adomain: unknown): string {
  if (adomain === undefined || adomain === null) return noAdomain;
  if (!Array.isArray(adomain)) return `adomain must be an array of domains; got ${describeValue(adomain)}`;
  const index = adomain.findIndex((entry) => !isDomain(entry));
  return index === -1 ? noAdomain : `adomain[${index}] ${describeValue(adomain[index])} is not a domain`;
}

const noAdomain = 'the bid has no adomain to compare it with';

const impressionOf = ({ bid, auction }: Dropped): Impression | undefined =>
  auction.impressions.find(({ imp }) => imp.id === bid.impid);

function offeredDealOf(dropped: Dropped): ReturnType<typeof dealOf> {
  const impression = impressionOf(dropped);
  return impression && dealOf(dropped.bid, impression);
}

const termsOf = (dropped: Dropped): Deal | undefined => offeredDealOf(dropped)?.terms;

/** The bid's currency is looked up first. */
function untradedOf(dropped: Dropped): string {
  const { currency } = dropped.bid;
  const traded = dropped.auction.terms.cur;
  const isTraded = typeof currency === 'string' && traded.includes(currency.toUpperCase() || 'USD');
  const floor = termsOf(dropped)?.bidfloorcur;
  return isTraded && floor ? `the deal's floor in ${describeValue(floor)}` : `the bid in ${describeValue(currency)}`;
}

function seatOf({ buyerSeat }: UncheckedBid): string {
  return buyerSeat === undefined || buyerSeat === null || buyerSeat === ''
    ? 'a bid without a seat'
    : `seat ${describeValue(buyerSeat)}`;
}

interface Floor {
  bidfloor?: number;
  bidfloorcur?: string;
}

function describeBelow(bid: UncheckedBid, floor: string, { bidfloor = 0, bidfloorcur }: Floor = {}): string {
  const currency = typeof bid.currency === 'string' && bid.currency !== '' ? bid.currency : 'USD';
  const floorCurrency = bidfloorcur || 'USD';
  return `price ${String(bid.price)} ${currency} is below ${floor} of ${bidfloor} ${floorCurrency}`;
}

/** Those that break the rule. */
function entriesOf(value: unknown, breaksRule: (entry: unknown) => boolean | undefined): string {
  const list: readonly unknown[] = Array.isArray(value)
    ? value
    : [value].filter((entry) => entry !== undefined && entry !== null);
  const broken = list.filter(breaksRule);
  const named = broken.slice(0, maxNamed).map(describeValue).join(', ');
  return broken.length > maxNamed ? `${named} and ${broken.length - maxNamed} more` : named || '(none)';
}
