/** Decodes the body of a partner's response, within bounds of size and depth. */
import { gunzipSync } from 'node:zlib';
import { isWithinDepth } from '../json/is-within-depth.ts';
import { smallJsonLength, spendJsonBudget } from '../json/json-budget.ts';
import { notJson, parseJson } from '../json/parse-json.ts';
import type { PartnerResponse } from './call-partner.ts';

/** As received, and again once inflated. */
export const maxResponseBytes = 1024 * 1024;
const maxDepth = 32;
/** 500 bids or products of 20 objects and 100 values each. */
const maxObjects = 10_000;
const maxValues = 50_000;

export function decodeResponse(body: Buffer, gzipped: boolean): PartnerResponse {
  const bytes = gzipped ? inflate(body) : body;
  if (!bytes) return { result: 'invalid' };
  const parsed = parseBounded(bytes.toString('utf8'));
  return parsed === notJson ? { result: 'invalid' } : { result: 'bid', body: parsed, bytes: bytes.length };
}

/** A small body is parsed first: its depth is then found faster. */
function parseBounded(text: string): unknown {
  if (text.length > smallJsonLength) {
    return spendJsonBudget(text, { maxDepth, objects: maxObjects, values: maxValues }) ? parseJson(text) : notJson;
  }
  const parsed = parseJson(text);
  return parsed !== notJson && isWithinDepth(maxDepth, parsed) ? parsed : notJson;
}

/** Undefined for what is not gzip, or exceeds the limit once inflated. */
function inflate(body: Buffer): Buffer | undefined {
  try {
    return gunzipSync(body, { maxOutputLength: maxResponseBytes });
  } catch {
    return undefined;
  }
}
