/** Applies the floor of the publishers file: the higher of the request's and the publisher's floor is in force. */
import { rateOf } from '../money/micros.ts';
import type { Rates } from '../money/rates.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Warning } from '../openrtb/bid-response.ts';
import type { PublisherFloor } from '../publishers/publisher.ts';

/**
 * Changes the request itself, so that partners receive, prices respect and reports state the floor in force. A publisher's
 * floor in a currency without a rate is in force too: like any such floor, it stops the sale of the impression. Returns what
 * was changed, for the report of test mode.
 */
export function raiseFloors(
  { imp: impressions }: BidRequest,
  { amount, currency }: PublisherFloor,
  rates: Rates,
): Warning[] {
  const raised: Warning[] = [];
  const rate = rateOf(currency, rates);
  const minDollars = rate === undefined ? Infinity : amount * rate;
  for (const [index, imp] of impressions.entries()) {
    const ownRate = rateOf(imp.bidfloorcur, rates);
    if (ownRate === undefined || (imp.bidfloor ?? 0) * ownRate >= minDollars) continue;
    imp.bidfloor = amount;
    imp.bidfloorcur = currency;
    raised.push({
      code: 'FLOOR_RAISED',
      field: `imp[${index}].bidfloor`,
      message: `the publisher's settings raise the floor to ${amount} ${currency}`,
    });
  }
  return raised;
}
