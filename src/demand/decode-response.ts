/** Decodes the body of a partner's response, within bounds of size and depth. */
import { gunzip } from '../gzip/gunzip.ts';
import { notJson, parseJson, tooDeep } from '../json/parse-json.ts';
import type { PartnerResponse } from './call-partner.ts';

/** As received, and again once inflated. */
export const maxResponseBytes = 1024 * 1024;

export function decodeResponse(body: Buffer, gzipped: boolean): PartnerResponse {
  const inflated = gzipped ? gunzip(body, maxResponseBytes) : { bytes: body };
  if (!('bytes' in inflated)) return { result: 'invalid' };
  const { bytes } = inflated;
  const parsed = parseJson(bytes.toString('utf8'));
  if (parsed === notJson || parsed === tooDeep) return { result: 'invalid' };
  return { result: 'bid', body: parsed, bytes: bytes.length };
}
