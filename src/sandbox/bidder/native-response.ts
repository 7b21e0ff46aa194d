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
    link: { url: `https://${creative.domain}/${creative.name}`, clicktrackers: [`${trackerUrl}/click`] },
    ...(supportsImpressionPixel && { eventtrackers: [{ event: 1, method: 1, url: `${trackerUrl}/view.gif` }] }),
  };
}

function fillAsset(creative: Creative, asset: Asset): object | undefined {
  switch (asset.kind) {
    case 'title':
      return { title: { text: truncate(creative.title, asset.len) } };
    case 'img':
      return fillImage(creative, asset);
    case 'data': {
      const value = dataValue(creative, asset.type);
      return value === undefined ? undefined : { data: { value: truncate(value, asset.len) } };
    }
    case 'other':
      return undefined;
  }
}

function fillImage({ domain, name, icon }: Creative, asset: Extract<Asset, { kind: 'img' }>): object | undefined {
  if (asset.icon && icon === false) return undefined;
  const { w, h } = asset.icon ? iconImage : mainImage;
  if (w < asset.wmin || h < asset.hmin) return undefined;
  return { img: { url: `https://${domain}/img/${name}-${w}x${h}.jpg`, w, h } };
}

/** `type` is a data asset type of Native 1.2. */
function dataValue({ sponsor, description, price, cta }: Creative, type: number): string | undefined {
  if (type === 1) return sponsor;
  if (type === 2) return description;
  if (type === 6) return price;
  return type === 12 ? cta : undefined;
}

/** All texts of the sandbox are ASCII, so any index is a character boundary. */
const truncate = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).trimEnd();
