/** The Joi rules for URLs in the partners file that clients open: landing pages, images, trackers and notices. */
import Joi from 'joi';
import { isWebUrl, maxWebUrlLength } from '../openrtb/web-url.ts';

/** The scheme may be in any case. Path and query may contain macros such as `${AUCTION_PRICE}`. */
export const webUrl = (): Joi.StringSchema =>
  Joi.string()
    .max(maxWebUrlLength)
    .custom((url: string, helpers) => (isWebUrl(url) && URL.canParse(url) ? url : helpers.error('webUrl')))
    .messages({ webUrl: '{#label} must be an absolute http or https URL' });
