/** The adapter `house`: direct campaigns in memory. Per impression, the matching campaign with the highest CPM bids. */
import Joi from 'joi';
import { meets, requirementsOf } from '../../openrtb/native-requirements.ts';
import type { Impression, LocalAdapter, UncheckedBid } from '../adapter.ts';
import { type Campaign, campaign } from './campaign.ts';
import { CampaignIndex, type IndexedCampaign } from './campaign-index.ts';
import { CampaignMarkup } from './campaign-markup.ts';
import { targetingContext } from './targeting-context.ts';

interface HouseSettings {
  campaigns: Campaign[];
}

export const house: LocalAdapter<HouseSettings> = {
  kind: 'local',
  settings: {
    campaigns: Joi.array()
      .items(campaign)
      .unique('id')
      .messages({ 'array.unique': '{#label}.id: {#value.id} is also the id of campaigns[{#dupePos}]' })
      .required(),
  },
  createBidder({ campaigns }) {
    const index = new CampaignIndex(campaigns);
    const markup = new CampaignMarkup();
    return {
      bidLocally({ request, impressions }) {
        const bids: UncheckedBid[] = [];
        const ofRequest = index.matchingRequest(targetingContext(request));
        for (const impression of impressions) {
          const campaigns = index.matchingImpression(targetingContext(request, impression.imp), ofRequest);
          const bid = bestBid(campaigns, markup, request.id, impression);
          if (bid) bids.push(bid);
        }
        return bids;
      },
    };
  },
};

function bestBid(
  highestFirst: readonly IndexedCampaign[],
  markup: CampaignMarkup,
  requestId: string,
  impression: Impression,
): UncheckedBid | undefined {
  const { imp, native, secure, floorMicros } = impression;
  const requirements = requirementsOf(native, secure);
  if (requirements === 'impossible') return undefined;
  for (const { owner, priceMicros, creative } of highestFirst) {
    if (priceMicros < floorMicros) return undefined;
    if (!meets(requirements, creative)) continue;
    const trustedAdm = markup.of(creative, impression);
    if (trustedAdm === undefined) return undefined; // too long; trying further campaigns would take too long as well
    const { id, cpm, adomain, nurl, burl } = owner;
    return {
      id: `${requestId}:${imp.id}:${id}`,
      impid: imp.id,
      price: cpm,
      currency: 'USD',
      trustedAdm,
      crid: id,
      cid: id,
      adomain,
      nurl,
      burl,
    };
  }
  return undefined;
}
