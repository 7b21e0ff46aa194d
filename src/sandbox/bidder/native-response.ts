/** A bidder's creative, and the native response built from it. */
import type { Asset, Impression } from './parse-bid-request.ts';

export interface Creative {
  /** The campaign id; with the bidder's name as a prefix, the creative id. */
  name: string;
  sponsor: string;
  domain: string;
  title: string;
  description: string;
  cta: string;
  price?: string;
  /** Set if the creative has no icon. */
  icon?: false;
  /** IAB Content Taxonomy 1.0, the OpenRTB default. */
  cat: string[];
  /** Keywords that raise the price. */
  preferredKeywords?: string[];
  /** It bids only on requests with this keyword. */
  onlyKeyword?: string;
  /** It bids only on impressions that offer this deal, and in this deal. */
  onlyDeal?: string;
  /** A fixed price in the currency of the bidder. */
  cpm?: number;
  /** Added to the latency of the response. */
  delayMs?: number;
  /** Replaces members of the bid; an undefined one is left out. */
  bid?: Record<string, unknown>;
  /** Set if it ignores the floor, lengths and sizes of the request. */
  ignoresLimits?: true;
  clickUrl?: string;
  imageScheme?: 'http';
}

const mainImage = { w: 1200, h: 627 };
const iconImage = { w: 256, h: 256 };

/** Returns undefined if a required asset, or every asset, is unavailable. */
export function buildNativeResponse(
  creative: Creative,
  { ver, assets, supportsImpressionPixel }: Impression,
  trackerUrl: string,
) {
  const filled: object[] = [];
  for (const asset of assets) {
    const content = fillAsset(creative, asset);
    if (content) filled.push({ id: asset.id, ...content });
    else if (asset.required) return undefined;
  }
  if (filled.length === 0) return undefined;
  return {
    ver,
    assets: filled,
    link: {
      url: creative.clickUrl ?? `https://${creative.domain}/${creative.name}`,
      clicktrackers: [`${trackerUrl}/click`],
    },
    ...(supportsImpressionPixel && { eventtrackers: [{ event: 1, method: 1, url: `${trackerUrl}/view.gif` }] }),
  };
}

function fillAsset(creative: Creative, asset: Asset): object | undefined {
  switch (asset.kind) {
    case 'title':
      return { title: { text: fitText(creative, creative.title, asset.len) } };
    case 'img':
      return fillImage(creative, asset);
    case 'data': {
      const value = dataValue(creative, asset.type);
      return value === undefined ? undefined : { data: { value: fitText(creative, value, asset.len) } };
    }
    case 'other':
      return undefined;
  }
}

function fillImage(creative: Creative, asset: Extract<Asset, { kind: 'img' }>): object | undefined {
  const { domain, name, icon, ignoresLimits, imageScheme = 'https' } = creative;
  if (asset.icon && icon === false) return undefined;
  const { w, h } = asset.icon ? iconImage : mainImage;
  if (!ignoresLimits && (w < asset.wmin || h < asset.hmin)) return undefined;
  return { img: { url: `${imageScheme}://${domain}/img/${name}-${w}x${h}.jpg`, w, h } };
}

/** `type` is a data asset type of Native 1.2. */
function dataValue({ sponsor, description, price, cta }: Creative, type: number): string | undefined {
  if (type === 1) return sponsor;
  if (type === 2) return description;
  if (type === 6) return price;
  return type === 12 ? cta : undefined;
}

/** All texts of the sandbox are ASCII, so any index is a character boundary. */
const fitText = ({ ignoresLimits }: Creative, text: string, length: number): string =>
  ignoresLimits || text.length <= length ? text : text.slice(0, length).trimEnd();
