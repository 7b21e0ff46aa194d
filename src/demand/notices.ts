/** What a campaign or a partner entry adds to its bids: win notice, billing notice, impression and click trackers. */
import Joi from 'joi';
import { maxWebUrlLength } from '../openrtb/web-url.ts';
import { webUrl } from './web-url.ts';

/** URLs whose macros (`${AUCTION_PRICE}` and the like) the caller substitutes. */
export interface Notices {
  nurl?: string;
  burl?: string;
  /** Pixels in the markup; left out if the request does not offer impression tracking by image. */
  impressionTrackers?: string[];
  /** Requested when the ad is clicked. */
  clickTrackers?: string[];
}

/** All of them, at their maximum length, fit into a native response. */
const maxTrackers = { impression: 10, click: 5 };

export const noticeSettings = {
  nurl: webUrl(),
  burl: webUrl(),
  impressionTrackers: Joi.array().items(webUrl()).max(maxTrackers.impression),
  clickTrackers: Joi.array().items(webUrl()).max(maxTrackers.click),
} satisfies Joi.PartialSchemaMap<Notices>;

const macroPattern = /\$\{(PRODUCT_ID|REQUEST_ID)\}/g;
const maxIdLength = 255;

/** What the macros of a template stand for. */
interface Ids {
  PRODUCT_ID: string;
  REQUEST_ID: string;
}

/** Replaces `${PRODUCT_ID}` and `${REQUEST_ID}`, percent-encoded. A URL that would be too long is left out. */
export function noticesOf(productId: string, requestId: string, templates: Notices): Notices {
  const ids = { PRODUCT_ID: productId, REQUEST_ID: requestId };
  const { nurl, burl, impressionTrackers, clickTrackers } = templates;
  const filled: Notices = {};
  const win = fill(nurl, ids);
  const billing = fill(burl, ids);
  if (win !== undefined) filled.nurl = win;
  if (billing !== undefined) filled.burl = billing;
  if (impressionTrackers) filled.impressionTrackers = fillAll(impressionTrackers, ids);
  if (clickTrackers) filled.clickTrackers = fillAll(clickTrackers, ids);
  return filled;
}

const fillAll = (templates: readonly string[], ids: Ids): string[] => templates.flatMap((url) => fill(url, ids) ?? []);

function fill(template: string | undefined, ids: Ids): string | undefined {
  if (!template?.includes('_ID}')) return template;
  let isTooLong = false;
  const url = template.replace(macroPattern, (_macro, name: keyof Ids) => {
    isTooLong ||= ids[name].length > maxIdLength;
    return isTooLong ? '' : encodeURIComponent(ids[name].toWellFormed());
  });
  return isTooLong || url.length > maxWebUrlLength ? undefined : url;
}
