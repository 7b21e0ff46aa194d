/** The bodies of the cases that hold a JSON object, as text. */
import { parseJson } from '../../src/json/parse-json.ts';
import { readCases } from './case-file.ts';
import { encodeBody } from './send-case.ts';

export const exemplarTexts = (): string[] =>
  readCases().flatMap(({ request }) => {
    const text = request.gzip || request.rawHttp !== undefined ? undefined : encodeBody(request)?.toString();
    const body = text && parseJson(text);
    return text && typeof body === 'object' && body !== null ? [text] : [];
  });
