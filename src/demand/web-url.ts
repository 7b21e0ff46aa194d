/** The Joi rules for URLs in the partners file that clients open: landing pages, images, trackers and notices. */
import Joi from 'joi';

/** As many characters as a response bid may have in `nurl` or `burl`. */
export const maxUrlLength = 4_096;

/** The scheme may be in any case. */
export const webUrl = (): Joi.StringSchema =>
  Joi.string()
    .uri({ scheme: [/[Hh][Tt][Tt][Pp][Ss]?/] })
    .messages({ 'string.uriCustomScheme': '{#label} must be an http or https URL' });

/** `${AUCTION_PRICE}`, `${AUCTION_PRICE:B64}`. */
const macro = /\$\{[A-Z][A-Z0-9_]*(?::[A-Z0-9]+)?\}/g;

/** A URL that may contain macros, in its path or query. */
export const urlTemplate = (): Joi.StringSchema =>
  Joi.string()
    .max(maxUrlLength)
    .custom((template: string, helpers) => {
      const { error } = webUrl().validate(template.replaceAll(macro, 'macro'));
      return error || /^https?:\/\/[^/?#]*\$/i.test(template) ? helpers.error('urlTemplate') : template;
    })
    .messages({
      urlTemplate:
        '{#label} must be an http or https URL; its path and query may contain macros such as $\\{AUCTION_PRICE}',
    });
