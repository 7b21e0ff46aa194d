/** Rules that hold for every error and every bid that a caller receives. */
import type { Outcome } from '../../src/exchange/outcome.ts';
import { errorTable } from '../../src/http/http-errors.ts';
import type { Bid } from '../../src/openrtb/bid-response.ts';
import type { ErrorResponse } from '../../src/openrtb/error-row.ts';
import { check } from './target.ts';

/** The fixed text, and 40 characters of the caller's value of which each may be escaped. */
const maxReasonLength = 700;
const maxFieldLength = 200;

export function checkError({ name, status, code, field = '', reason }: ErrorResponse): void {
  check(Object.hasOwn(errorTable, name), `the error table has no row ${name}`);
  check(status >= 400 && status < 500, `${name} with status ${status}`);
  check(/^[A-Z_]+$/.test(code), `code ${code}`);
  check(field.length <= maxFieldLength, `a field name of ${field.length} characters`);
  check(reason.length <= maxReasonLength, `a reason of ${reason.length} characters`);
  // eslint-disable-next-line no-control-regex
  check(!/[\0-\x1f\x7f]/.test(reason), 'a reason with a control character');
}

/** `markup` and `wrapped` lengths: a native response as received, and the `native` root that the exchange may add. */
const maxAdmLength = 64 * 1024 + 12;
const maxUrlLength = 4_096;
const maxIdLength = 255;
const maxListLength = 50;

export function checkBid({ id, crid, cid = '', nurl = '', burl = '', adm, adomain = [], cat = [], price }: Bid): void {
  check(price > 0 && price <= 100_000, `a price of ${price}`);
  check(textOf(adm).length <= maxAdmLength, `a native response of ${textOf(adm).length} characters`);
  for (const url of [nurl, burl]) check(url.length <= maxUrlLength, `a notice URL of ${url.length} characters`);
  for (const text of [id, crid, cid]) check(text.length <= maxIdLength, `an id of ${text.length} characters`);
  for (const list of [adomain, cat]) {
    check(list.length <= maxListLength, `a list of ${list.length} entries`);
    for (const entry of list) check(entry.length <= maxIdLength, `an entry of ${entry.length} characters`);
  }
}

const textOf = (adm: Bid['adm']): string => (typeof adm === 'string' ? adm : (JSON.parse(adm.rawJSON) as string));

/** Returns the kind of the outcome. */
export function checkOutcome(outcome: Outcome): string {
  check(outcome.kind !== 'error' && outcome.kind !== 'refused', `outcome ${outcome.kind}`);
  if (outcome.kind === 'invalid') checkError(outcome.error);
  if (outcome.kind !== 'bid') return outcome.kind;
  for (const { bid } of outcome.response.seatbid ?? []) for (const one of bid) checkBid(one);
  return outcome.kind;
}
