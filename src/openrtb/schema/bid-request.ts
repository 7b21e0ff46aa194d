/** The bid request: its members in the order in which errors are reported, then the rules across fields. */
import type Joi from 'joi';
import { isObject, isPresent, type JsonObject } from '../../json/guards.ts';
import type { BidRequest } from '../bid-request.ts';
import type { BrokenRule } from '../field-errors.ts';
import { maxReportedErrors } from '../../contract/api-limits.ts';
import { context } from './context.ts';
import { device, user } from './device-and-user.ts';
import { identifier, imp } from './imp.ts';
import { list } from './list.ts';
import { regs } from './regs.ts';
import { integer, object, oneOf, text } from './rules.ts';
import { sellerList } from './seller-list.ts';
import { app, site } from './site-and-app.ts';
import { source } from './source.ts';

/** The impressions whose id an earlier one has. `imp` may be anything while all errors are collected. */
function duplicateIds(imp: unknown): { index: number; first: number }[] {
  const duplicates: { index: number; first: number }[] = [];
  const firstUse = new Map<string, number>();
  for (const [index, one] of (Array.isArray(imp) ? (imp as unknown[]) : []).entries()) {
    const id = isObject(one) ? one.id : undefined;
    if (typeof id !== 'string') continue;
    const first = firstUse.get(id);
    if (first === undefined) firstUse.set(id, index);
    else duplicates.push({ index, first });
  }
  return duplicates;
}

const uniqueImpIds: Joi.CustomValidator<BidRequest> = (request, helpers) => {
  if ((request.imp as unknown[] | undefined)?.length === 1) return request;
  const [duplicate] = duplicateIds(request.imp);
  return duplicate ? helpers.error('imp.duplicateId', duplicate) : request;
};

const hasSiteAndApp = ({ site, app }: { site?: unknown; app?: unknown }): boolean => isPresent(site) && isPresent(app);

const siteOrApp: Joi.CustomValidator<BidRequest> = (request, helpers) =>
  hasSiteAndApp(request) ? helpers.error('request.siteAndApp') : request;

/** The broken rules across fields of an object that may have any other error. */
export function rulesAcrossFields(body: JsonObject): BrokenRule[] {
  const duplicates = duplicateIds(body.imp).slice(0, maxReportedErrors);
  const rules: BrokenRule[] = duplicates.map((context) => ({ type: 'imp.duplicateId', path: [], context }));
  return hasSiteAndApp(body) ? [...rules, { type: 'request.siteAndApp', path: [] }] : rules;
}

export const bidRequest = object<BidRequest>({
  id: identifier().required(),
  imp: list(imp, { min: 1, max: 10 }).required(),
  test: integer(),
  at: integer().custom(oneOf(1, 2)),
  tmax: integer().min(100).max(5000),
  cur: list(text(), { max: 100 }),
  bcat: sellerList(),
  cattax: integer(),
  badv: sellerList(),
  bapp: sellerList(),
  wseat: sellerList(),
  bseat: sellerList(),
  source,
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
