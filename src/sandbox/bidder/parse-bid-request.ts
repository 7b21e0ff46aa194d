/** Parses the parts of a bid request that the sandbox bidders use. */
import { isObject, type JsonObject } from '../../json/guards.ts';
import { BadRequest } from '../respond.ts';

export interface ParsedBidRequest {
  id: string;
  /** The words of `site.keywords` or `app.keywords`, in lower case. */
  keywords: ReadonlySet<string>;
  /** In which bids are accepted; undefined if the request does not say so. */
  currencies: readonly unknown[] | undefined;
  /** The native impressions. */
  impressions: Impression[];
}

export interface Impression {
  id: string;
  floor: number;
  floorCurrency: unknown;
  /** The ids of the deals that it offers. */
  deals: ReadonlySet<unknown>;
  ver: string;
  assets: Asset[];
  /** Whether the request supports an image tracker for the impression event. */
  supportsImpressionPixel: boolean;
}

export type Asset = { id: number; required: boolean } & (
  | { kind: 'title'; len: number }
  | { kind: 'img'; icon: boolean; wmin: number; hmin: number }
  | { kind: 'data'; type: number; len: number }
  | { kind: 'other' }
);

/** The icon type of Native 1.2; every other image gets the main image. */
const iconType = 1;

/** Throws BadRequest. */
export function parseBidRequest(body: string): ParsedBidRequest {
  const request = parseObject(body, 'the body');
  const { imp } = request;
  if (!Array.isArray(imp) || imp.length === 0) throw new BadRequest('imp must be a non-empty array');
  return {
    id: readId(request, 'id'),
    keywords: readKeywords(request),
    currencies: Array.isArray(request.cur) ? (request.cur as unknown[]) : undefined,
    impressions: imp.flatMap((impression: unknown, index) => readImpression(impression, `imp[${index}]`) ?? []),
  };
}

function readImpression(imp: unknown, path: string): Impression | undefined {
  if (!isObject(imp)) throw new BadRequest(`${path} must be an object`);
  const id = readId(imp, `${path}.id`);
  const floor = imp.bidfloor ?? 0;
  if (typeof floor !== 'number' || floor < 0) throw new BadRequest(`${path}.bidfloor must be a number of at least 0`);
  if (!isObject(imp.native)) return undefined;
  const { request } = imp.native;
  const requestPath = `${path}.native.request`;
  if (typeof request !== 'string')
    throw new BadRequest(`${requestPath} must be a string with a native request as JSON`);
  const root = parseObject(request, requestPath);
  const native = isObject(root.native) ? root.native : root;
  return {
    id,
    floor,
    floorCurrency: imp.bidfloorcur ?? 'USD',
    deals: readDeals(imp.pmp),
    ver: typeof native.ver === 'string' ? native.ver : '1.2',
    assets: readAssets(native.assets, requestPath),
    supportsImpressionPixel: supportsImpressionPixel(native.eventtrackers),
  };
}

function readId({ id }: JsonObject, path: string): string {
  if (typeof id !== 'string' || id === '') throw new BadRequest(`${path} must be a non-empty string`);
  return id;
}

function readDeals(pmp: unknown): Set<unknown> {
  const deals: unknown = isObject(pmp) ? pmp.deals : undefined;
  return new Set(Array.isArray(deals) ? deals.map((deal: unknown) => isObject(deal) && deal.id) : undefined);
}

function readKeywords({ site, app }: JsonObject): Set<string> {
  const page = isObject(site) ? site : app;
  const keywords = isObject(page) ? page.keywords : undefined;
  return new Set(typeof keywords === 'string' ? keywords.toLowerCase().match(/[\p{L}\p{N}]+/gu) : undefined);
}

function readAssets(assets: unknown, path: string): Asset[] {
  if (!Array.isArray(assets) || assets.length === 0) throw new BadRequest(`${path}: assets must be a non-empty array`);
  return assets.map((asset: unknown, index) => {
    if (!isObject(asset) || !Number.isInteger(asset.id)) {
      throw new BadRequest(`${path}: assets[${index}] must be an object with an integer id`);
    }
    return readAsset(asset, asset.id as number);
  });
}

function readAsset(asset: JsonObject, id: number): Asset {
  const common = { id, required: asset.required === 1 };
  const { title, img, data } = asset;
  if (isObject(title)) return { ...common, kind: 'title', len: readMaxLength(title) };
  if (isObject(img)) {
    return {
      ...common,
      kind: 'img',
      icon: img.type === iconType,
      wmin: readPixels(img.wmin),
      hmin: readPixels(img.hmin),
    };
  }
  if (isObject(data) && typeof data.type === 'number') {
    return { ...common, kind: 'data', type: data.type, len: readMaxLength(data) };
  }
  return { ...common, kind: 'other' };
}

/** A `len` that is absent or 0 sets no limit. */
const readMaxLength = ({ len }: JsonObject): number => (typeof len === 'number' && len > 0 ? len : Infinity);

const readPixels = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Event 1 is the impression, method 1 is an image. */
function supportsImpressionPixel(trackers: unknown): boolean {
  return (
    Array.isArray(trackers) &&
    trackers.some(
      (tracker) =>
        isObject(tracker) && tracker.event === 1 && Array.isArray(tracker.methods) && tracker.methods.includes(1),
    )
  );
}

function parseObject(text: string, path: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRequest(`${path} is not valid JSON`);
  }
  if (!isObject(value)) throw new BadRequest(`${path} must be a JSON object`);
  return value;
}
