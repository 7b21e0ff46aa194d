/** Decodes the body of a partner's response, within bounds of size and depth. */
import { gunzipSync } from 'node:zlib';
import { isWithinDepth } from '../json/is-within-depth.ts';
import { notJson, parseJson } from '../json/parse-json.ts';
import type { PartnerResponse } from './call-partner.ts';

/** As received, and again once inflated. */
export const maxResponseBytes = 1024 * 1024;
const maxDepth = 32;

export function decodeResponse(body: Buffer, gzipped: boolean): PartnerResponse {
  const bytes = gzipped ? inflate(body) : body;
  const parsed = bytes ? parseJson(bytes.toString('utf8')) : notJson;
  if (parsed === notJson || !isWithinDepth(maxDepth, parsed)) return { result: 'invalid' };
  return { result: 'bid', body: parsed, bytes: bytes!.length };
}

/** Undefined for what is not gzip, or exceeds the limit once inflated. */
function inflate(body: Buffer): Buffer | undefined {
  try {
    return gunzipSync(body, { maxOutputLength: maxResponseBytes });
  } catch {
    return undefined;
  }
}
