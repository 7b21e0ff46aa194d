/** Builds the auction for a valid request: its impressions with their decoded native request and their floor. */
import type { Auction, Impression } from '../demand/adapter.ts';
import type { Rates } from '../money/rates.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import { Deals } from '../openrtb/deals.ts';
import type { DecodedNativeRequest } from '../openrtb/native-request.ts';

export function buildAuction(request: BidRequest, natives: readonly DecodedNativeRequest[], rates: Rates): Auction {
  const impressions: Impression[] = [];
  for (const [index, imp] of request.imp.entries()) {
    if ((imp.bidfloorcur ?? 'USD') !== 'USD') continue;
    const { native, form } = natives[index]!;
    const impression: Impression = { imp, native, form, floorMicros: Math.round((imp.bidfloor ?? 0) * 1_000_000) };
    if (imp.pmp) impression.deals = new Deals(imp.pmp, rates);
    impressions.push(impression);
  }
  return { request, impressions };
}
