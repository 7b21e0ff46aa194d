/** From a valid request to what is put up for auction: impressions with their decoded native request and their floor. */
import type { Auction } from '../demand/adapter.ts';
import type { ValidBidRequest } from '../openrtb/validate-bid-request.ts';

export function openAuction({ bidRequest, natives }: ValidBidRequest): Auction {
  const impressions = bidRequest.imp.flatMap((imp, index) => {
    if ((imp.bidfloorcur ?? 'USD') !== 'USD') return [];
    const { native, form } = natives[index]!;
    return [{ imp, native, form, floorMicros: Math.round((imp.bidfloor ?? 0) * 1_000_000) }];
  });
  return { request: bidRequest, impressions };
}
