/** The bid request: its members in the order in which errors are reported, then the rules across fields. */
import type Joi from 'joi';
import type { BidRequest } from '../bid-request.ts';
import { context } from './context.ts';
import { device, user } from './device-and-user.ts';
import { identifier, imp } from './imp.ts';
import { list } from './list.ts';
import { regs } from './regs.ts';
import { integer, object, oneOf } from './rules.ts';
import { sellerList } from './seller-list.ts';
import { app, site } from './site-and-app.ts';

const uniqueImpIds: Joi.CustomValidator<BidRequest> = (request, helpers) => {
  const firstUse = new Map<string, number>();
  for (const [index, { id }] of request.imp.entries()) {
    const first = firstUse.get(id);
    if (first !== undefined) return helpers.error('imp.duplicateId', { index, first });
    firstUse.set(id, index);
  }
  return request;
};

const siteOrApp: Joi.CustomValidator<BidRequest> = (request, helpers) =>
  request.site !== undefined && request.app !== undefined ? helpers.error('request.siteAndApp') : request;

export const bidRequest = object<BidRequest>({
  id: identifier().required(),
  imp: list(imp, { min: 1, max: 10 }).required(),
  test: integer(),
  at: integer().custom(oneOf(1, 2)),
  tmax: integer().min(100).max(5000),
  bcat: sellerList(),
  cattax: integer(),
  badv: sellerList(),
  bapp: sellerList(),
  wseat: sellerList(),
  bseat: sellerList(),
  site,
  app,
  device,
  user,
  regs,
  ext: object({ service: context }),
})
  .required()
  .custom(uniqueImpIds)
  .custom(siteOrApp);
