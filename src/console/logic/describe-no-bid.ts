/** Why an auction has no winner, in one line: what the partners sent. */
import type { AuctionPartner } from '../../contract/console-api.ts';

export function describeNoBid(partners: readonly AuctionPartner[], test: boolean): string {
  const bids = partners.reduce((sum, partner) => sum + partner.bids, 0);
  const unused = partners.filter(({ outcome }) => outcome !== 'bid' && outcome !== 'no_bid').length;
  const others =
    unused === 0 ? '' : `; ${unused} of ${partners.length} partners were not called or sent no usable response`;
  if (partners.length === 0)
    return test
      ? 'No bid: no partner takes test traffic. It does with "test": true in the partners file.'
      : 'No bid: there are no partners.';
  const [detail, ...otherDetails] = new Set(partners.map((partner) => partner.detail));
  if (detail !== undefined && otherDetails.length === 0)
    return `No bid: ${detail.charAt(0).toLowerCase()}${detail.slice(1)}`;
  if (bids === 0) return `No bid: no partner sent one${others}.`;
  return bids === 1
    ? `No bid: the only one was dropped${others}.`
    : `No bid: ${bids === 2 ? 'both' : `all ${bids}`} were dropped${others}.`;
}
