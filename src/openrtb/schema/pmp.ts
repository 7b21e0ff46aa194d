/** The private marketplace of an impression and its deals. */
import type Joi from 'joi';
import { maxStringLength } from '../bid-bounds.ts';
import type { Deal, Pmp } from '../bid-request.ts';
import { list } from './list.ts';
import { integer, number, object, oneOf, string, text } from './rules.ts';
import { sellerList } from './seller-list.ts';

/** The price of a fixed-price deal is its `bidfloor`. */
const priceIfFixed: Joi.CustomValidator<Deal> = (deal, helpers) =>
  deal.at === 3 && deal.bidfloor === undefined ? helpers.error('deal.fixedPrice') : deal;

const deal = object<Deal>({
  id: string().max(maxStringLength).required(),
  bidfloor: number().min(0).max(100_000),
  bidfloorcur: text(),
  at: integer().custom(oneOf(1, 2, 3)),
  wseat: sellerList(),
  wadomain: sellerList(),
}).custom(priceIfFixed);

export const pmp = object<Pmp>({
  private_auction: integer().custom(oneOf(0, 1)),
  deals: list(deal, { max: 50 }),
});
