/** The adapter "product-search": a product service is asked by keywords; the adapter builds the native answers. */
import Joi from 'joi';
import { requestKeywords } from '../../openrtb/keywords.ts';
import { buildNativeResponse } from '../../openrtb/build-native-response.ts';
import {
  type Adapter,
  type Auction,
  type HttpCall,
  type Impression,
  invalidResponse,
  type UncheckedBid,
  type PartnerSettings,
} from '../adapter.ts';
import { endpoint } from '../endpoint.ts';
import { type PriceFilter, readFilter } from './read-filter.ts';
import { type Product, readProducts } from './read-products.ts';

interface ProductSearchSettings extends PartnerSettings {
  endpoint: string;
}

const headers = { accept: 'application/json' };

export const productSearch: Adapter = {
  settings: {
    endpoint: endpoint({ mayHaveQuery: false }).required(),
    cacheMs: Joi.number().integer().min(0).max(60_000).default(250),
    cacheSize: Joi.number().integer().min(0).max(100_000).default(1_000),
  },
  createBidder(settings) {
    const search = `${(settings as ProductSearchSettings).endpoint.replace(/\/+$/, '')}/v1/ads/search`;
    return {
      toRequests: (auction) => toCalls(search, auction),
      toBids,
    };
  },
};

/** One call for all impressions with the same filter. */
function toCalls(search: string, { request, impressions }: Auction): HttpCall[] {
  const keywords = requestKeywords(request);
  if (keywords.length === 0) return [];
  const byUrl = new Map<string, { impressions: Impression[]; ignoredParams: string[] }>();
  for (const impression of impressions) {
    const { filter, dropped } = readFilter(impression.imp.ext?.service_product_search);
    const url = searchUrl(search, keywords, filter);
    const same = byUrl.get(url) ?? { impressions: [], ignoredParams: [] };
    same.impressions.push(impression);
    same.ignoredParams.push(...dropped);
    byUrl.set(url, same);
  }
  return [...byUrl].map(([url, same]) => ({ method: 'GET', url, headers, ...same }));
}

function searchUrl(search: string, keywords: readonly string[], { min, max }: PriceFilter): string {
  const query = new URLSearchParams({ query: keywords.join(',') });
  if (min !== undefined) query.set('minOfferPrice', min.toFixed(0));
  if (max !== undefined) query.set('maxOfferPrice', max.toFixed(0));
  return `${search}?${query.toString()}`;
}

/** For each impression the dearest product that fills its required assets. */
function toBids(
  { impressions }: HttpCall,
  answer: unknown,
  { request }: Auction,
): UncheckedBid[] | typeof invalidResponse {
  const dearestFirst = readProducts(answer);
  if (!dearestFirst) return invalidResponse;
  return impressions.flatMap((impression) => bestOffer(dearestFirst, impression, request.id) ?? []);
}

function bestOffer(
  dearestFirst: readonly Product[],
  impression: Impression,
  requestId: string,
): UncheckedBid | undefined {
  const { imp } = impression;
  for (const { id, cpm, advertiserDomain, material } of dearestFirst) {
    const built = buildNativeResponse(impression, material);
    if (built === undefined) continue;
    return {
      id: `${requestId}:${imp.id}:${id}`,
      impid: imp.id,
      price: cpm,
      currency: 'USD',
      built,
      crid: id,
      ...(advertiserDomain !== undefined && { adomain: [advertiserDomain] }),
    };
  }
  return undefined;
}
