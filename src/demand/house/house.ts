/** The adapter "house": direct campaigns held in memory; the dearest that matches and fits bids on each impression. */
import Joi from 'joi';
import type { BidRequest } from '../../openrtb/bid-request.ts';
import { buildNativeAnswer, encodeNativeAnswer, type NativeMaterial } from '../../openrtb/native-answer.ts';
import type { Auction, Impression, OfferedBid, Partner } from '../adapter.ts';
import type { Adapter, PartnerSettings } from '../registry.ts';
import { type Campaign, campaign } from './campaign.ts';
import { compileTarget, readSurroundings, type Surroundings } from './compile-target.ts';

interface HouseSettings extends PartnerSettings {
  campaigns: Campaign[];
}

interface CompiledCampaign {
  campaign: Campaign;
  priceMicros: number;
  material: NativeMaterial;
  matches: (here: Surroundings) => boolean;
}

export const house: Adapter = {
  settings: { campaigns: Joi.array().items(campaign).unique('id').required() },
  createPartner(settings): Partner {
    const { name, test, campaigns } = settings as HouseSettings;
    const compiled = campaigns.map(compileCampaign).sort((a, b) => b.priceMicros - a.priceMicros);
    return {
      name,
      test,
      offer: ({ request, impressions }: Auction) =>
        impressions.flatMap((impression) => bestOffer(compiled, request, impression) ?? []),
    };
  },
};

function bestOffer(
  dearestFirst: readonly CompiledCampaign[],
  request: BidRequest,
  impression: Impression,
): OfferedBid | undefined {
  const { imp, native, form, floorMicros } = impression;
  const here = readSurroundings(request, impression);
  for (const { campaign: owner, priceMicros, material, matches } of dearestFirst) {
    if (priceMicros < floorMicros) return undefined;
    if (!matches(here)) continue;
    const answer = buildNativeAnswer(native, material);
    if (!answer) continue;
    return {
      id: `${request.id}:${imp.id}:${owner.id}`,
      impid: imp.id,
      priceMicros,
      adm: encodeNativeAnswer(answer, form),
      crid: owner.id,
      cid: owner.id,
      ...(owner.adomain && { adomain: owner.adomain }),
    };
  }
  return undefined;
}

function compileCampaign(owner: Campaign): CompiledCampaign {
  const { landing, title, image, sponsor, description, price, cta } = owner;
  const data = new Map<number, string>();
  if (sponsor !== undefined) data.set(1, sponsor);
  if (description !== undefined) data.set(2, description);
  if (price !== undefined) data.set(6, price);
  if (cta !== undefined) data.set(12, cta);
  return {
    campaign: owner,
    priceMicros: Math.round(owner.cpm * 1_000_000),
    material: { landing, title, data, ...(image && { image }) },
    matches: compileTarget(owner.target),
  };
}
