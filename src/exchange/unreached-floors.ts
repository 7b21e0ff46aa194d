/** Impressions that no bid reached the floor of: for the report of test mode. */
import type { AuctionResult } from '../auction/run-auction.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Warning } from '../openrtb/bid-response.ts';

export function unreachedFloors({ imp }: BidRequest, { seatbid, reports }: AuctionResult): Warning[] {
  const won = new Set(seatbid.flatMap(({ bid }) => bid.map(({ impid }) => impid)));
  const below = new Set(
    reports().flatMap(({ rejected }) =>
      rejected.filter(({ reason }) => reason === 'below_floor').map(({ impid }) => impid),
    ),
  );
  return imp.flatMap(({ id, bidfloor }, index) => {
    if (won.has(id) || !below.has(id)) return [];
    const message = `no bid reached the floor of ${bidfloor}; the bids below it are in partners[].rejected`;
    return [{ code: 'FLOOR_NOT_REACHED', field: `imp[${index}].bidfloor`, message }];
  });
}
