/** What a valid request probably does not mean: for the report of test mode. */
import { isObject, type JsonObject } from '../json/guards.ts';
import type { BidRequest } from './bid-request.ts';
import type { Warning } from './bid-response.ts';
import { editDistance } from './edit-distance.ts';
import { intents } from './intents.ts';
import { countKeywords, maxKeywords } from './keywords.ts';
import { readPriceFilter } from './read-price-filter.ts';

export const findWarnings = (request: BidRequest): Warning[] => [
  ...request.imp.flatMap(({ ext }, index) => ignoredPrices(ext?.service_product_search, `imp[${index}].ext`)),
  ...keywordWarnings(request),
  ...unknownIntent(request.ext?.service?.intent?.value),
  ...misspellings(request),
];

function ignoredPrices(extension: unknown, path: string): Warning[] {
  return readPriceFilter(extension).ignored.map((name) => ({
    code: 'PRICE_FILTER_IGNORED',
    field: fieldOf(name, path),
    message: ignoredBecause[name] ?? `${name} is ignored: it must be a number of at least 0 and below 1e21`,
  }));
}

const ignoredBecause: Readonly<Record<string, string>> = {
  service_product_search: 'the price filter is ignored: it is not an object',
  'min_price above max_price': 'the price filter is ignored: min_price is above max_price',
  price_currency: 'price_currency is ignored: it is not a currency code of ISO 4217',
};

const wholeFilter = 'service_product_search';

function fieldOf(name: string, path: string): string {
  if (name === wholeFilter) return `${path}.${wholeFilter}`;
  return `${path}.${wholeFilter}.${name.split(' ')[0]}`;
}

function keywordWarnings({ site, app }: BidRequest): Warning[] {
  const path = site ? 'site' : 'app';
  const inventory = (site ?? app) as (JsonObject & { keywords?: string }) | undefined;
  if (!inventory) return [];
  const { keywords = '', kwarray } = inventory;
  const count = countKeywords(keywords);
  if (count === 0 && Array.isArray(kwarray) && kwarray.length > 0) {
    const message = 'keywords are read from keywords, not from kwarray; send them there as well, separated by commas';
    return [{ code: 'KEYWORDS_IN_KWARRAY', field: `${path}.kwarray`, message }];
  }
  if (count <= maxKeywords) return [];
  const message = `only the first ${maxKeywords} keywords are used; got ${count}`;
  return [{ code: 'KEYWORDS_TRUNCATED', field: `${path}.keywords`, message }];
}

function unknownIntent(value: string | undefined): Warning[] {
  if (value === undefined || intents.includes(value)) return [];
  const message = `the intent carries no signal; known are ${intents.join(', ')}`;
  return [{ code: 'UNKNOWN_INTENT', field: 'ext.service.intent.value', message }];
}

const membersOfExt = ['service'];
const membersOfImpExt = ['service', 'service_product_search'];
const membersOfImpService = ['adcpFormats'];
const membersOfService = [
  'messageSequenceNumber',
  'messageLength',
  'isQuickReply',
  'userThinkTimeMs',
  'sessionDurationMs',
  'intent',
  'sentiment',
  'funnel',
  'audience',
];

function misspellings({ ext, imp }: BidRequest): Warning[] {
  const budget = { members: maxMembers };
  // Before those of the impressions, of which there may be many.
  const ofRequest = [
    ...misspelledMembers(ext, 'ext', membersOfExt, budget),
    ...misspelledMembers(ext?.service, 'ext.service', membersOfService, budget),
  ];
  const ofImpressions = imp.flatMap(({ ext: own }, index) => [
    ...misspelledMembers(own, `imp[${index}].ext`, membersOfImpExt, budget),
    ...misspelledMembers(own?.service, `imp[${index}].ext.service`, membersOfImpService, budget),
  ]);
  return [...ofImpressions, ...ofRequest];
}

/** Members of a request that are looked at, and the longest name among them: callers choose both. */
const maxMembers = 100;
const maxNameLength = 40;
const maxDistance = 2;

function misspelledMembers(
  object: unknown,
  path: string,
  known: readonly string[],
  budget: { members: number },
): Warning[] {
  if (!isObject(object)) return [];
  const warnings: Warning[] = [];
  for (const name of Object.keys(object)) {
    if (--budget.members < 0) break;
    if (known.includes(name) || name.length > maxNameLength) continue;
    const meant = known.find((one) => isSimilar(name, one));
    if (meant === undefined) continue;
    const isGiven = Object.hasOwn(object, meant);
    const message = `the member is not read; ${meant}${isGiven ? ', which the request also has, is' : ' was probably meant'}`;
    warnings.push({ code: 'POSSIBLE_MISSPELLING', field: `${path}.${name}`, message });
  }
  return warnings;
}

const isSimilar = (name: string, known: string): boolean =>
  Math.abs(name.length - known.length) <= maxDistance &&
  editDistance(name.toLowerCase(), known.toLowerCase(), maxDistance) <= maxDistance;
