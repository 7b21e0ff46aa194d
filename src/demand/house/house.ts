/** The adapter "house": direct campaigns held in memory; the dearest that matches and fits bids on each impression. */
import Joi from 'joi';
import type { BidRequest } from '../../openrtb/bid-request.ts';
import type { Adapter, Impression, UncheckedBid, PartnerSettings } from '../adapter.ts';
import { type Campaign, campaign } from './campaign.ts';
import { CampaignMarkup } from './campaign-markup.ts';
import { CampaignIndex } from './campaign-index.ts';
import { targetingContext } from './targeting-context.ts';

interface HouseSettings extends PartnerSettings {
  campaigns: Campaign[];
}

export const house: Adapter = {
  settings: { campaigns: Joi.array().items(campaign).unique('id').required() },
  createBidder(settings) {
    const index = new CampaignIndex((settings as HouseSettings).campaigns);
    const answers = new CampaignMarkup();
    return {
      bidLocally({ request, impressions }) {
        const offers: UncheckedBid[] = [];
        for (const impression of impressions) {
          const offer = bestOffer(index, answers, request, impression);
          if (offer) offers.push(offer);
        }
        return offers;
      },
    };
  },
};

function bestOffer(
  index: CampaignIndex,
  answers: CampaignMarkup,
  request: BidRequest,
  impression: Impression,
): UncheckedBid | undefined {
  const { imp, floorMicros } = impression;
  for (const { owner, priceMicros, material } of index.matching(targetingContext(request, imp))) {
    if (priceMicros < floorMicros) return undefined;
    const built = answers.of(material, impression);
    if (built === undefined) continue;
    const { id, cpm, adomain } = owner;
    return {
      id: `${request.id}:${imp.id}:${id}`,
      impid: imp.id,
      price: cpm,
      currency: 'USD',
      built,
      crid: id,
      cid: id,
      adomain,
    };
  }
  return undefined;
}
