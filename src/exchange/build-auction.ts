/** Builds the auction for a valid request: its impressions with their decoded native request and their floor. */
import type { Auction, Impression } from '../demand/adapter.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { DecodedNativeRequest } from '../openrtb/native-request.ts';

export function buildAuction(request: BidRequest, natives: readonly DecodedNativeRequest[]): Auction {
  const impressions: Impression[] = [];
  for (const [index, imp] of request.imp.entries()) {
    if ((imp.bidfloorcur ?? 'USD') !== 'USD') continue;
    const { native, form } = natives[index]!;
    const secure = imp.secure === 1;
    impressions.push({ imp, native, form, secure, floorMicros: Math.round((imp.bidfloor ?? 0) * 1_000_000) });
  }
  return { request, impressions };
}
