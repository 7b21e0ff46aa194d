/** Impressions that no bid reached the floor of: for the report of test mode. */
import type { BidReason } from '../auction/check-bid.ts';
import type { AuctionResult } from '../auction/run-auction.ts';
import type { Auction } from '../demand/adapter.ts';
import type { PartnerResult } from '../demand/partner-result.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Warning } from '../openrtb/bid-response.ts';

const belowFloor: readonly string[] = ['below_floor', 'below_deal_floor'];
/** Judged before the floor: such a bid may have reached it or not. */
const beforeFloor: readonly string[] = [
  'unknown_imp',
  'invalid_price',
  'currency',
  'unknown_deal',
  'no_deal',
  'seat_not_allowed',
  'blocked_seat',
] satisfies BidReason[];

/** A partner with such an outcome might have bid: its failure is the reason that is known. */
const failures: ReadonlySet<string> = new Set([
  'timeout',
  'late',
  'error',
  'invalid',
  'skipped',
] satisfies PartnerResult[]);

/**
 * Partners that know the floor do not bid below it: an impression without any bid counts, too, unless a call failed or demand of our own has
 * another reason.
 */
export function unreachedFloors(
  { imp }: BidRequest,
  { impressions }: Auction,
  { seatbid, reports, countedReasons }: AuctionResult,
): Warning[] {
  const traded = new Set(impressions.map((impression) => impression.imp.id));
  const won = new Set(seatbid.flatMap(({ bid }) => bid.map(({ impid }) => impid)));
  const all = reports();
  const rejected = all.flatMap((report) => report.rejected);
  const counted = countedReasons();
  const called = all.filter(({ outcome }) => outcome !== 'excluded');
  const isComplete = called.length > 0 && !called.some(({ outcome }) => failures.has(outcome));
  const mayBeFloor = (impId: string) => {
    const reasons = counted.flatMap(({ byImpression }) => [...(byImpression.get(impId) ?? [])]);
    return isComplete && (reasons.length === 0 || reasons.some((reason) => belowFloor.includes(reason)));
  };
  const impsWith = (matches: (reason: string) => boolean) =>
    new Set(rejected.filter(({ reason }) => matches(reason)).map(({ impid }) => impid));
  const below = impsWith((reason) => belowFloor.includes(reason));
  const unknown = impsWith((reason) => beforeFloor.includes(reason));
  const reached = impsWith((reason) => !belowFloor.includes(reason) && !beforeFloor.includes(reason));
  return imp.flatMap(({ id, bidfloor = 0, bidfloorcur }, index) => {
    if (bidfloor === 0 || !traded.has(id) || won.has(id) || reached.has(id)) return [];
    if (!below.has(id) && (unknown.has(id) || !mayBeFloor(id))) return [];
    const bids = below.has(id)
      ? 'the bids below it are in partners[].rejected'
      : 'there was no bid at all, which may have other reasons';
    const message = `no bid reached the floor of ${bidfloor} ${bidfloorcur || 'USD'}; ${bids}`;
    return [{ code: 'FLOOR_NOT_REACHED', field: `imp[${index}].bidfloor`, message }];
  });
}
