/** What a bidder advertises, and the native answer it makes of it. */
import type { Impression } from './ask.ts';
import type { Asset } from './asset.ts';

export interface Creative {
  /** The campaign and, with the bidder's name, the creative's id. */
  name: string;
  sponsor: string;
  domain: string;
  title: string;
  description: string;
  cta: string;
  price?: string;
  /** Some have none. */
  icon?: false;
  /** IAB Content Taxonomy 1.0, the default of OpenRTB. */
  cat: string[];
  /** Words that make it worth more. */
  prefers?: string[];
}

const mainImage = { w: 1200, h: 627 };
const iconImage = { w: 256, h: 256 };

/** Undefined where an asset that is required cannot be served, or nothing at all. */
export function buildAnswer(creative: Creative, { ver, assets, countsViews }: Impression, tracker: string) {
  const answered: object[] = [];
  for (const asset of assets) {
    const content = serveAsset(creative, asset);
    if (content) answered.push({ id: asset.id, ...content });
    else if (asset.required) return undefined;
  }
  if (answered.length === 0) return undefined;
  return {
    ver,
    assets: answered,
    link: { url: `https://${creative.domain}/${creative.name}`, clicktrackers: [`${tracker}/click`] },
    ...(countsViews && { eventtrackers: [{ event: 1, method: 1, url: `${tracker}/view.gif` }] }),
  };
}

function serveAsset(creative: Creative, asset: Asset): object | undefined {
  switch (asset.kind) {
    case 'title':
      return { title: { text: cut(creative.title, asset.len) } };
    case 'img':
      return serveImage(creative, asset);
    case 'data': {
      const value = dataOf(creative, asset.type);
      return value === undefined ? undefined : { data: { value: cut(value, asset.len) } };
    }
    case 'other':
      return undefined;
  }
}

function serveImage({ domain, name, icon }: Creative, wanted: Extract<Asset, { kind: 'img' }>): object | undefined {
  if (wanted.icon && icon === false) return undefined;
  const { w, h } = wanted.icon ? iconImage : mainImage;
  if (w < wanted.wmin || h < wanted.hmin) return undefined;
  return { img: { url: `https://${domain}/img/${name}-${w}x${h}.jpg`, w, h } };
}

/** By the data asset types of Native 1.2. */
function dataOf({ sponsor, description, price, cta }: Creative, type: number): string | undefined {
  if (type === 1) return sponsor;
  if (type === 2) return description;
  if (type === 6) return price;
  return type === 12 ? cta : undefined;
}

/** The sandbox's texts are plain ASCII, so that any place is good to cut. */
const cut = (text: string, length: number): string => (text.length <= length ? text : text.slice(0, length).trimEnd());
