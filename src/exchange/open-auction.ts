/** From a valid request to what is put up for auction: impressions with their decoded native request and their floor. */
import type { Auction } from '../demand/adapter.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { DecodedNativeRequest } from '../openrtb/native-request.ts';

export function openAuction(request: BidRequest, natives: readonly DecodedNativeRequest[]): Auction {
  const impressions = request.imp.flatMap((imp, index) => {
    if ((imp.bidfloorcur ?? 'USD') !== 'USD') return [];
    const { native, form } = natives[index]!;
    return [{ imp, native, form, floorMicros: Math.round((imp.bidfloor ?? 0) * 1_000_000) }];
  });
  return { request, impressions };
}
