/** Lists what restricts demand in a bid request: where to look if no partner bids, because bidders give no reason. */
import { isSet } from '../json/guards.ts';
import { asArray, asNumber, asObject, asString, type JsonObject } from '../json/read-values.ts';
import { requiredAssets } from './required-assets.ts';

export interface Restriction {
  /** A path in the request, such as `imp[0].bidfloor`. */
  field: string;
  reason: string;
}

export const maxRestrictions = 20;
const maxCurrencyLength = 8;
const maxCurrencies = 5;
/** A longer time is not worth naming. */
const shortTmaxMs = 200;

/** Lists of the request by their name. */
const lists: Record<string, (count: number) => string> = {
  badv: (count) => `blocks ${count} advertiser ${count === 1 ? 'domain' : 'domains'}`,
  bcat: (count) => `blocks ${count} ${count === 1 ? 'category' : 'categories'}`,
  bapp: (count) => `blocks ${count} ${count === 1 ? 'app' : 'apps'}`,
  bseat: (count) => `blocks ${count} buyer ${count === 1 ? 'seat' : 'seats'}`,
  wseat: (count) => `permits only ${count} buyer ${count === 1 ? 'seat' : 'seats'}`,
};

const redacted = 'partners receive the request without personal data';
const withoutIdentifiers = 'partners receive no identifiers of the user or the device';
const gdpr = 'partners without consent receive no personal data';
const isOne = (value: unknown): boolean => value === 1;
const isOptOut = (value: unknown): boolean => /^1.Y/i.test(asString(value));
const tcfSection = 2;

interface PrivacySignal {
  /** Where the request may have it. The first field with a value counts. */
  fields: readonly string[];
  applies: (value: unknown) => boolean;
  reason: string;
}

/** Signals that need no decoding, as in `privacy/privacy-decision.ts`. */
const privacySignals: readonly PrivacySignal[] = [
  { fields: ['regs.coppa'], applies: isOne, reason: redacted },
  { fields: ['regs.gdpr', 'regs.ext.gdpr'], applies: isOne, reason: gdpr },
  {
    fields: ['regs.gpp_sid', 'regs.ext.gpp_sid'],
    applies: (value) => asArray(value).includes(tcfSection),
    reason: gdpr,
  },
  { fields: ['regs.us_privacy', 'regs.ext.us_privacy'], applies: isOptOut, reason: redacted },
  { fields: ['regs.ext.gpc'], applies: isSet, reason: redacted },
  { fields: ['device.lmt'], applies: isSet, reason: withoutIdentifiers },
  { fields: ['device.dnt'], applies: isSet, reason: withoutIdentifiers },
];

/** The restrictions of the request and of the impressions that are not in `sold`. The request may be anything. The result has no text of it except currencies. */
export function listRestrictions(request: unknown, sold: ReadonlySet<string> = new Set()): Restriction[] {
  const root = asObject(request);
  const isUnsold = (imp: unknown) => !sold.has(asString(asObject(imp).id));
  if (sold.size > 0 && !asArray(root.imp).some(isUnsold)) return [];
  const hasAllowedSeats = asArray(root.wseat).length > 0;
  const ofLists = Object.entries(lists).flatMap(([field, describe]) => {
    const { length } = asArray(root[field]);
    const isIgnored = field === 'bseat' && hasAllowedSeats;
    return length === 0 || isIgnored ? [] : [{ field, reason: describe(length) }];
  });
  const ofImpressions = asArray(root.imp)
    .slice(0, maxRestrictions)
    .flatMap((imp, index) => (isUnsold(imp) ? restrictionsOf(asObject(imp), `imp[${index}]`) : []));
  const ofPrivacy = privacySignals.flatMap(({ fields, applies, reason }) => {
    const field = fields.find((path) => hasValue(valueAt(root, path)));
    return field !== undefined && applies(valueAt(root, field)) ? [{ field, reason }] : [];
  });
  return [...ofImpressions, ...ofRequest(root), ...ofLists, ...ofPrivacy].slice(0, maxRestrictions);
}

const valueAt = (root: JsonObject, path: string): unknown =>
  path.split('.').reduce<unknown>((parent, name) => asObject(parent)[name], root);

const hasValue = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

const maxUnsold = 20;

/** The impressions without a winner. */
export const unsoldOf = (request: unknown, sold: ReadonlySet<string>): string[] =>
  asArray(asObject(request).imp)
    .map((imp) => asString(asObject(imp).id))
    .filter((id) => !sold.has(id))
    .slice(0, maxUnsold);

/** Without what a warning says better: the floor in force is another one, or there is no rate for its currency. */
export function withoutWarned(
  restrictions: readonly Restriction[],
  warnings: readonly { code: string; field: string }[],
): Restriction[] {
  const warned = new Set(
    warnings.flatMap(({ code, field }) =>
      code === 'FLOOR_RAISED' || code === 'CURRENCY_NOT_TRADED' ? [field.replace(/floorcur$/, 'floor')] : [],
    ),
  );
  return restrictions.filter(({ field }) => !warned.has(field));
}

function ofRequest({ cur, tmax }: JsonObject): Restriction[] {
  const currencies = asArray(cur).slice(0, maxCurrencies).map(toCurrency);
  const timeMs = asNumber(tmax) ?? Infinity;
  return [
    ...(currencies.length > 0 ? [{ field: 'cur', reason: `prices must be in ${currencies.join(' or ')}` }] : []),
    ...(timeMs <= shortTmaxMs ? [{ field: 'tmax', reason: `partners have less than ${timeMs} ms` }] : []),
  ];
}

function restrictionsOf(imp: JsonObject, path: string): Restriction[] {
  const restrictions: Restriction[] = [];
  const floor = asNumber(imp.bidfloor) ?? 0;
  if (floor > 0)
    restrictions.push({ field: `${path}.bidfloor`, reason: `a bid needs at least ${floor} ${currencyOf(imp)} CPM` });
  const pmp = asObject(imp.pmp);
  const deals = asArray(pmp.deals).length;
  if (pmp.private_auction === 1)
    restrictions.push({
      field: `${path}.pmp.private_auction`,
      reason: describePrivateAuction(deals),
    });
  const native = asObject(imp.native);
  const assets = requiredAssets(native.request);
  if (assets.length > 0)
    restrictions.push({ field: `${path}.native.request`, reason: `an ad needs ${assets.join(', ')}` });
  const battr = asArray(native.battr).length;
  if (battr > 0)
    restrictions.push({
      field: `${path}.native.battr`,
      reason: `blocks ${battr} creative ${battr === 1 ? 'attribute' : 'attributes'}`,
    });
  return restrictions;
}

function describePrivateAuction(deals: number): string {
  if (deals === 0) return 'no bid is valid: the auction is private, but the impression has no deals';
  return deals === 1 ? 'only bids with its deal are valid' : `only bids with one of its ${deals} deals are valid`;
}

const toCurrency = (value: unknown): string => asString(value).slice(0, maxCurrencyLength) || 'USD';
const currencyOf = ({ bidfloorcur }: JsonObject): string => toCurrency(bidfloorcur);
