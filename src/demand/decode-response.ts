/** Decodes the body of a partner's response, within bounds of size and structure. Its strings are well-formed. */
import { freeBytes } from '../bytes/free-bytes.ts';
import { gunzip } from '../gzip/gunzip.ts';
import { createJsonBudget, type JsonBudget, smallJsonLength } from '../json/json-budget.ts';
import { maxDepth, notJson } from '../json/parse-json.ts';
import { parseWellFormed } from '../json/well-formed.ts';
import type { PartnerResponse } from './call-partner.ts';

/** As received, and again once inflated. */
export const maxResponseBytes = 1024 * 1024;
/** 500 bids or products of 20 objects, 5 lists and 100 values each. */
const maxContainers = 12_500;
const maxValues = 50_000;

const createBudget = (): JsonBudget => createJsonBudget({ maxDepth, containers: maxContainers, values: maxValues });

export function decodeResponse(body: Buffer, gzipped: boolean, maxBytes: number): PartnerResponse {
  const inflated = gzipped ? gunzip(body, maxBytes) : { bytes: body };
  if (!('bytes' in inflated)) return { result: 'invalid', explain: () => 'Its response is not gzip, or too large.' };
  const { bytes } = inflated;
  const { length } = bytes;
  const text = bytes.toString('utf8');
  if (gzipped) freeBytes(bytes); // the body is its owner's to free
  return decodeText(text, length);
}

/** `bytes` is the size of the text as received. */
export function decodeText(text: string, bytes: number): PartnerResponse {
  const parsed = parseWellFormed(text, text.length > smallJsonLength ? createBudget() : undefined);
  if (parsed === notJson) return { result: 'invalid', explain: () => 'Its response is not JSON.' };
  if (typeof parsed === 'symbol')
    return { result: 'invalid', explain: () => 'Its response has too many values or levels.' };
  return { result: 'bid', body: parsed, bytes };
}
