/** Describes which members of a valid bid `toResponseBid` removes, for the report of test mode. */
import type { UncheckedBid } from '../demand/adapter.ts';
import { describeValue } from '../json/describe-value.ts';
import { isNonEmptyString, isObject } from '../json/guards.ts';
import { boundedDsa, isSafeInteger, maxDsaLength, maxEntries, maxStringLength } from '../openrtb/bid-bounds.ts';
import { notWeb } from '../openrtb/check-native-link.ts';
import { isWebUrl, maxWebUrlLength } from '../openrtb/web-url.ts';

/** One text per member. A member that is absent or empty is not listed. */
export function describeRemoved(bid: UncheckedBid): string[] {
  const { id, crid, nurl, burl, lurl, bundle, cid, language, dealid, buyerSeat, adomain, cat, attr, cattax } = bid;
  return [
    ...each({ id, crid }, idProblem, 'replaced'),
    ...each({ nurl, burl, lurl }, urlProblem),
    ...each({ bundle, cid, language, dealid, seat: buyerSeat }, stringProblem),
    ...each({ adomain, cat }, stringsProblem),
    ...each({ attr }, integersProblem),
    ...each({ cattax }, integerProblem),
    ...each({ exp: bid.exp === 0 ? undefined : bid.exp }, expiryProblem),
    ...each({ ext: bid.ext }, extProblem),
  ];
}

/** The rule that a value breaks, as the continuation of the name of its member, and what is done if not the usual; undefined if it breaks none. */
type ProblemOf = (value: unknown) => string | readonly [problem: string, consequence: string] | undefined;

function each(members: Record<string, unknown>, problemOf: ProblemOf, usual = 'removed'): string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    if (value === undefined || value === null || value === '') return [];
    const found = problemOf(value);
    if (found === undefined) return [];
    const [problem, consequence] = typeof found === 'string' ? [found, usual] : found;
    return [`${name}${problem}; ${consequence}`];
  });
}

const mustBe = (type: string, value: unknown): string => ` must be ${type}; got ${describeValue(value)}`;

const exceeds = (count: number, noun: string, max: number): string =>
  ` has ${count.toLocaleString('en-US')} ${noun}, more than ${max.toLocaleString('en-US')}`;

/** A number is read as a string. */
const idProblem: ProblemOf = (value) => (Number.isFinite(value) ? undefined : stringProblem(value));

const integerProblem: ProblemOf = (value) => (isSafeInteger(value) ? undefined : mustBe('an integer', value));

const expiryProblem: ProblemOf = (value) =>
  isSafeInteger(value) && value > 0 ? undefined : mustBe('an integer above 0', value);

function urlProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return mustBe('a string', value);
  if (value.length > maxWebUrlLength) return exceeds(value.length, 'characters', maxWebUrlLength);
  return isWebUrl(value) ? undefined : ` ${notWeb(value)}`;
}

function stringProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return mustBe('a string', value);
  return value.length > maxStringLength ? exceeds(value.length, 'characters', maxStringLength) : undefined;
}

function stringsProblem(value: unknown): ReturnType<ProblemOf> {
  const problem = listProblem(value, isNonEmptyString, 'a non-empty string');
  if (problem !== undefined) return problem;
  const list = value as string[];
  const long = list.findIndex(({ length }) => length > maxStringLength);
  if (long === -1) return countProblem(list);
  return [
    `[${long}]${exceeds(list[long]!.length, 'characters', maxStringLength)}`,
    'entries that are too long are removed',
  ];
}

const integersProblem: ProblemOf = (value) =>
  listProblem(value, isSafeInteger, 'an integer') ?? countProblem(value as unknown[]);

function listProblem(value: unknown, isEntry: (entry: unknown) => boolean, type: string): ReturnType<ProblemOf> {
  if (!Array.isArray(value)) return mustBe('an array', value);
  const wrong = value.findIndex((entry) => !isEntry(entry));
  return wrong === -1 ? undefined : [`[${wrong}]${mustBe(type, value[wrong])}`, 'the array is removed'];
}

const countProblem = ({ length }: readonly unknown[]): ReturnType<ProblemOf> =>
  length > maxEntries ? [exceeds(length, 'entries', maxEntries), 'the others are removed'] : undefined;

/** Only `dsa` is read. */
function extProblem(ext: unknown): string | undefined {
  if (!isObject(ext)) return mustBe('an object', ext);
  const { dsa } = ext;
  if (dsa === undefined || dsa === null || boundedDsa(ext)) return undefined;
  if (!isObject(dsa)) return `.dsa${mustBe('an object', dsa)}`;
  return `.dsa has more than ${maxDsaLength.toLocaleString('en-US')} characters`;
}
