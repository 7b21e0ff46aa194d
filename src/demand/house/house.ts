/** The adapter "house": direct campaigns held in memory; the dearest that matches and fits bids on each impression. */
import Joi from 'joi';
import type { BidRequest } from '../../openrtb/bid-request.ts';
import { buildNativeAnswer } from '../../openrtb/native-answer.ts';
import type { Adapter, Impression, OfferedBid, PartnerSettings } from '../adapter.ts';
import { type Campaign, campaign } from './campaign.ts';
import { CampaignIndex } from './campaign-index.ts';
import { readSurroundings } from './surroundings.ts';

interface HouseSettings extends PartnerSettings {
  campaigns: Campaign[];
}

export const house: Adapter = {
  settings: { campaigns: Joi.array().items(campaign).unique('id').required() },
  converse(settings) {
    const index = new CampaignIndex((settings as HouseSettings).campaigns);
    return {
      isLocal: true,
      toRequests: () => [{ kind: 'local' }],
      toBids: (_call, _answer, { request, impressions }) =>
        impressions.flatMap((impression) => bestOffer(index, request, impression) ?? []),
    };
  },
};

function bestOffer(
  index: CampaignIndex,
  request: BidRequest,
  { imp, native, floorMicros }: Impression,
): OfferedBid | undefined {
  for (const { owner, priceMicros, material } of index.matching(readSurroundings(request, imp))) {
    if (priceMicros < floorMicros) return undefined;
    const built = buildNativeAnswer(native, material);
    if (!built) continue;
    return {
      id: `${request.id}:${imp.id}:${owner.id}`,
      impid: imp.id,
      price: owner.cpm,
      currency: 'USD',
      built,
      crid: owner.id,
      cid: owner.id,
      ...(owner.adomain && { adomain: owner.adomain }),
    };
  }
  return undefined;
}
