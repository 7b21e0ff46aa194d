/** What a campaign or a partner entry adds to its bids: win notice, billing notice and impression trackers. */
import Joi from 'joi';
import { maxWebUrlLength } from '../openrtb/web-url.ts';
import { webUrl } from './web-url.ts';

/** URLs whose macros (`${AUCTION_PRICE}` and the like) the caller substitutes. */
export interface Notices {
  nurl?: string;
  burl?: string;
  /** Pixels in the markup; left out if the request does not offer impression tracking by image. */
  impressionTrackers?: string[];
}

/** All of them, at their maximum length, fit into a native response. */
const maxTrackers = 10;

export const noticeSettings = {
  nurl: webUrl(),
  burl: webUrl(),
  impressionTrackers: Joi.array().items(webUrl()).max(maxTrackers),
} satisfies Joi.PartialSchemaMap<Notices>;

const productMacro = '${PRODUCT_ID}';
const maxIdLength = 255;

/** Replaces `${PRODUCT_ID}`, percent-encoded. A URL that would be too long is left out. */
export function noticesOf(productId: string, { nurl, burl, impressionTrackers }: Notices): Notices {
  const filled: Notices = {};
  const win = fill(nurl, productId);
  const billing = fill(burl, productId);
  if (win !== undefined) filled.nurl = win;
  if (billing !== undefined) filled.burl = billing;
  if (impressionTrackers) filled.impressionTrackers = impressionTrackers.flatMap((url) => fill(url, productId) ?? []);
  return filled;
}

function fill(template: string | undefined, productId: string): string | undefined {
  if (!template?.includes(productMacro)) return template;
  if (productId.length > maxIdLength) return undefined;
  const url = template.replaceAll(productMacro, () => encodeURIComponent(productId.toWellFormed()));
  return url.length <= maxWebUrlLength ? url : undefined;
}
