/** The adapter `product-search`: searches a product service by keyword and builds native responses from its products. */
import Joi from 'joi';
import type { BidRequest } from '../../openrtb/bid-request.ts';
import { buildNativeResponse } from '../../openrtb/build-native-response.ts';
import { requestKeywords } from '../../openrtb/keywords.ts';
import { meets, requirementsOf } from '../../openrtb/native-requirements.ts';
import { violatedControl } from '../../openrtb/seller-controls.ts';
import {
  type Auction,
  type BidderCall,
  type Impression,
  InvalidResponse,
  type NoBidReason,
  type RemoteAdapter,
  type UncheckedBid,
} from '../adapter.ts';
import { countReasons, lacksAsset, noImpression } from '../count-reasons.ts';
import { endpoint } from '../endpoint.ts';
import { type Notices, noticeSettings, noticesOf } from '../notices.ts';
import type { CacheSettings } from '../response-cache.ts';
import { describeUnreadable, describeWithoutProducts } from './describe-unreadable.ts';
import { encodeKeywords } from './encode-keywords.ts';
import { type PriceFilter, readPriceFilter } from '../../openrtb/read-price-filter.ts';
import { type Product, readProducts } from './read-products.ts';

const headers = { accept: 'application/json' };

type ProductSearchSettings = Notices & { name: string };

export const productSearch: RemoteAdapter<CacheSettings & Notices> = {
  kind: 'remote',
  settings: {
    endpoint: endpoint({ allowQuery: false }),
    cacheMs: Joi.number().integer().min(0).max(60_000).default(250),
    cacheSize: Joi.number().integer().min(0).max(100_000).default(1_000),
    ...noticeSettings,
  },
  createBidder(settings) {
    const searchUrl = `${settings.endpoint.replace(/\/+$/, '')}/v1/ads/search`;
    return {
      toRequests: (auction) => toCalls(searchUrl, auction),
      toBids: (call, response, auction) => toBids(call, response, auction, settings),
      explainNoBid: (auction, response) => explainNoBid(auction, response, settings.name),
    };
  },
};

/** One call for all impressions with the same price filter. */
function toCalls(searchUrl: string, { request, impressions }: Auction): BidderCall[] {
  const query = encodeKeywords(requestKeywords(request));
  if (query === '') return [];
  const byUrl = new Map<string, { impressions: Impression[]; ignoredParams: string[] }>();
  for (const impression of impressions) {
    const { filter, ignored } = readPriceFilter(impression.imp.ext?.service_product_search);
    const url = `${searchUrl}?query=${query}${encodeFilter(filter)}`;
    const call = byUrl.get(url) ?? { impressions: [], ignoredParams: [] };
    call.impressions.push(impression);
    call.ignoredParams.push(...ignored);
    byUrl.set(url, call);
  }
  return [...byUrl].map(([url, call]) => ({ method: 'GET', url, headers, ...call }));
}

function encodeFilter({ min, max }: PriceFilter): string {
  const minimum = min === undefined ? '' : `&minOfferPrice=${min.toFixed(0)}`;
  return max === undefined ? minimum : `${minimum}&maxOfferPrice=${max.toFixed(0)}`;
}

/** For each impression the product with the highest `cpm` that fills the required assets and that the seller allows. */
function toBids(
  { impressions }: BidderCall,
  response: unknown,
  { request }: Auction,
  settings: ProductSearchSettings,
): UncheckedBid[] | InvalidResponse {
  const highestFirst = readProducts(response);
  if (!highestFirst) return new InvalidResponse(() => describeWithoutProducts(response));
  return impressions.flatMap((impression) => bestBid(highestFirst, impression, request, settings) ?? []);
}

function explainNoBid(
  { request, impressions }: Auction,
  response: unknown,
  buyerSeat: string,
): NoBidReason | undefined {
  if (impressions.length === 0) return noImpression;
  const keywords = requestKeywords(request);
  if (encodeKeywords(keywords) === '')
    return `The request has no keywords ${keywords.length === 0 ? 'to search by' : 'that fit into a search'}.`;
  const products = readProducts(response);
  if (!products) return undefined;
  const unreadable =
    products.length === 0 ? describeUnreadable((response as { products: unknown[] }).products) : undefined;
  if (unreadable !== undefined) return unreadable;
  return countReasons(
    impressions,
    'product',
    () => products,
    (product, impression) => reasonOf(product, impression, buyerSeat),
  );
}

/** Why the product cannot be offered; undefined if it can. */
function reasonOf({ creative, adomain }: Product, impression: Impression, buyerSeat: string): string | undefined {
  if (!meets(requirementsOf(impression.native, impression.secure), creative)) return lacksAsset;
  return violatedControl({ adomain, buyerSeat }, anyPrice, impression);
}

/** The first product that meets the requirements decides: if its response is too long, others are not tried. */
function bestBid(
  highestFirst: readonly Product[],
  impression: Impression,
  request: BidRequest,
  { name: buyerSeat, ...templates }: ProductSearchSettings,
): UncheckedBid | undefined {
  const { imp, native, secure } = impression;
  const requirements = requirementsOf(native, secure);
  const product = highestFirst.find(
    ({ creative, adomain }) =>
      meets(requirements, creative) && !violatedControl({ adomain, buyerSeat }, anyPrice, impression),
  );
  if (!product) return undefined;
  const { id, cpm, adomain, creative } = product;
  const { impressionTrackers, clickTrackers, ...notices } = noticesOf(id, request.id, templates);
  const trackers = { ...(impressionTrackers && { impressionTrackers }), ...(clickTrackers && { clickTrackers }) };
  const trustedAdm = buildNativeResponse(impression, { ...creative, ...trackers });
  if (trustedAdm === undefined) return undefined;
  return {
    id: `${request.id}:${imp.id}:${id}`,
    impid: imp.id,
    price: cpm,
    currency: 'USD',
    trustedAdm,
    crid: id,
    ...notices,
    buyerSeat,
    ...(adomain && { adomain }),
  };
}

/** A product below the floor bids: the auction drops and reports it. */
const anyPrice = Infinity;
