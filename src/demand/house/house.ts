/** The adapter `house`: direct campaigns in memory. Per impression, the best campaign that matches and is allowed bids. */
import Joi from 'joi';
import type { BidRequest } from '../../openrtb/bid-request.ts';
import { meets, requirementsOf } from '../../openrtb/native-requirements.ts';
import { violatedControl } from '../../openrtb/seller-controls.ts';
import type { Impression, LocalAdapter, UncheckedBid } from '../adapter.ts';
import { countReasons, lacksAsset, noImpression } from '../count-reasons.ts';
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
  createBidder({ name, campaigns }) {
    const index = new CampaignIndex(campaigns, name);
    const markup = new CampaignMarkup();
    return {
      bidLocally({ request, impressions }) {
        const bids: UncheckedBid[] = [];
        const ofRequest = index.matchingRequest(targetingContext(request));
        for (const impression of impressions) {
          const campaigns = index.matchingImpression(targetingContext(request, impression.imp), ofRequest);
          const bid = bestBid(campaigns, markup, request, impression);
          if (bid) bids.push(bid);
        }
        return bids;
      },
      explainNoBid({ request, impressions }) {
        if (impressions.length === 0) return noImpression;
        const ofRequest = index.matchingRequest(targetingContext(request));
        const campaignsOf = ({ imp }: Impression) =>
          index.matchingImpression(targetingContext(request, imp), ofRequest);
        const unmatchedOf = ({ imp }: Impression, max: number) =>
          index.unmatchedMembers(targetingContext(request, imp), max);
        return countReasons(impressions, 'campaign', campaignsOf, reasonOf, unmatchedOf);
      },
    };
  },
};

function reasonOf({ creative, offer, priceMicros }: IndexedCampaign, impression: Impression): string | undefined {
  const { native, secure } = impression;
  if (!meets(requirementsOf(native, secure), creative)) return lacksAsset;
  return violatedControl(offer, priceMicros, impression);
}

function bestBid(
  highestFirst: readonly IndexedCampaign[],
  markup: CampaignMarkup,
  request: BidRequest,
  impression: Impression,
): UncheckedBid | undefined {
  const { imp, native, secure, floorMicros } = impression;
  const requirements = requirementsOf(native, secure);
  if (requirements === 'impossible') return undefined;
  for (const { owner, priceMicros, creative, offer } of highestFirst) {
    if (priceMicros < floorMicros) return undefined;
    if (!meets(requirements, creative) || violatedControl(offer, priceMicros, impression)) continue;
    const trustedAdm = markup.of(creative, impression);
    if (trustedAdm === undefined) return undefined; // too long; trying further campaigns would take too long as well
    const { id, cpm, nurl, burl } = owner;
    const { adomain, cat, cattax, attr, dealid, buyerSeat } = offer;
    return {
      id: `${request.id}:${imp.id}:${id}`,
      impid: imp.id,
      price: cpm,
      currency: 'USD',
      trustedAdm,
      crid: id,
      cid: id,
      nurl,
      burl,
      adomain,
      cat,
      cattax,
      attr,
      dealid,
      buyerSeat,
    };
  }
  return undefined;
}
