/** Tells why a bid was dropped, for the report of test mode: which rule, and which value of the bid broke it. */
import type { Auction, UncheckedBid } from '../demand/adapter.ts';
import { describeValue } from '../json/describe-value.ts';
import type { BidReason } from './check-bid.ts';

interface Dropped {
  bid: UncheckedBid;
  auction: Auction;
}

/** At most this many entries of a list are named. */
const maxEntries = 5;

/** Markup has a detail of its own, from its check. */
export const describeDrop = (reason: BidReason, bid: UncheckedBid, auction: Auction): string =>
  details[reason]({ bid, auction });

const details: Record<BidReason, (dropped: Dropped) => string> = {
  unknown_imp: ({ bid: { impid } }) =>
    impid === undefined ? 'the bid has no impid' : `no impression ${describeValue(impid)} is up for auction`,
  invalid_price: ({ bid }) =>
    `price must be a number of at least 0.000001, also in the currency of the response, and at most 100,000; got ${describeValue(bid.price)}`,
  currency: ({ bid }) => `no exchange rate for the bid in ${describeValue(bid.currency)}, or for the floor of its deal`,
  unknown_deal: ({ bid }) => `the impression does not offer the deal ${describeValue(bid.dealid)}`,
  no_deal: () => 'the auction is private, and the bid has no dealid',
  seat_not_allowed: ({ bid }) => `${seatOf(bid)} is not in wseat of the request or of the deal`,
  blocked_seat: ({ bid }) => `${seatOf(bid)} is in bseat`,
  below_deal_floor: (dropped) => `${priceOf(dropped.bid)} is below the deal's floor of ${dealFloorOf(dropped)}`,
  below_floor: (dropped) => `${priceOf(dropped.bid)} is below the floor of ${floorOf(dropped)}`,
  advertiser_not_allowed: ({ bid }) => `adomain ${entriesOf(bid.adomain)} is not within wadomain of the deal`,
  unknown_advertiser: () => 'the request has badv, and the bid has no adomain to compare it with',
  blocked_advertiser: ({ bid }) => `badv blocks adomain ${entriesOf(bid.adomain)}`,
  blocked_category: ({ bid }) => `bcat blocks cat ${entriesOf(bid.cat)}`,
  blocked_app: ({ bid }) => `bapp blocks bundle ${describeValue(bid.bundle)}`,
  blocked_attribute: ({ bid }) => `battr blocks attr ${entriesOf(bid.attr)}`,
  missing_dsa: () => 'regs.ext.dsa.dsarequired needs ext.dsa, which the bid does not have',
  no_adm: () => 'the bid has no adm',
};

const seatOf = ({ buyerSeat }: UncheckedBid): string =>
  typeof buyerSeat === 'string' && buyerSeat !== '' ? `seat ${describeValue(buyerSeat)}` : 'a bid without a seat';

const priceOf = ({ price, currency = 'USD' }: UncheckedBid): string => `price ${String(price)} ${String(currency)}`;

function floorOf({ bid, auction }: Dropped): string {
  const imp = auction.impressions.find((one) => one.imp.id === bid.impid)?.imp;
  return amountOf(imp);
}

function dealFloorOf({ bid, auction }: Dropped): string {
  const imp = auction.impressions.find((one) => one.imp.id === bid.impid)?.imp;
  return amountOf(imp?.pmp?.deals?.find(({ id }) => id === bid.dealid));
}

const amountOf = ({ bidfloor = 0, bidfloorcur }: { bidfloor?: number; bidfloorcur?: unknown } = {}): string =>
  `${bidfloor} ${typeof bidfloorcur === 'string' && bidfloorcur !== '' ? bidfloorcur : 'USD'}`;

function entriesOf(list: unknown): string {
  if (list === undefined || list === null) return '(none)';
  if (!Array.isArray(list)) return describeValue(list);
  const named = (list as unknown[]).slice(0, maxEntries).map(describeValue).join(', ');
  return list.length > maxEntries ? `${named} and ${list.length - maxEntries} more` : named || '(none)';
}
