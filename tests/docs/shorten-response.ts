/** Shortens a response in test mode to what an example of docs/rules.md shows. */
import { isObject, type JsonObject } from '../../src/json/guards.ts';

interface TestResponse {
  seatbid: { seat: string; bid: JsonObject[] }[];
  cur?: string;
  ext: { service: { warnings: unknown[]; partners: Partner[] } };
}

interface Partner {
  name: string;
  outcome: string;
  [list: string]: unknown;
}

const bidMembers = ['impid', 'price', 'dealid', 'adomain'];

/**
 * Of each bid, the impression, price, deal and advertiser remain, and the markup if `withMarkup` is set. Partners without
 * a bid and empty lists are left out; so are the members that the examples of docs/integrating.md explain.
 */
export function shortenResponse(body: unknown, withMarkup: boolean): unknown {
  if (!isObject(body)) return body;
  if (isObject(body.error)) return { error: omit(body.error, ['request_id']) };
  const { seatbid, cur, ext } = body as unknown as TestResponse;
  const { warnings, partners } = ext.service;
  const shown = withMarkup ? [...bidMembers, 'adm'] : bidMembers;
  return {
    seatbid: seatbid.map(({ seat, bid }) => ({ seat, bid: bid.map((one) => pick(one, shown)) })),
    ...(cur !== undefined && { cur }),
    ext: {
      service: {
        ...(warnings.length > 0 && { warnings }),
        partners: partners.filter(({ outcome }) => outcome !== 'no_bid').map(shortenPartner),
      },
    },
  };
}

function shortenPartner(partner: Partner): object {
  const short = omit(withoutEmptyLists(partner), ['startMs', 'durationMs', 'deadlineMs', 'bids']);
  return typeof short.detail === 'string' ? { ...short, detail: withUsualTime(short.detail) } : short;
}

/** The time that the response of `make run` has. */
const withUsualTime = (detail: string): string => detail.replace(/after \d+ ms/, 'after 150 ms');

const withoutEmptyLists = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => !Array.isArray(value) || value.length > 0));

const pick = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));

const omit = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
