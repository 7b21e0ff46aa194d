/** The request bodies of the test cases that are JSON objects or arrays, as text. */
import { parseJson } from '../../src/json/parse-json.ts';
import { readCases } from './case-file.ts';
import { encodeBody } from './send-case.ts';

export const caseBodies = (): string[] =>
  readCases().flatMap(({ request }) => {
    const text = request.gzip || request.rawHttp !== undefined ? undefined : encodeBody(request)?.toString();
    const body = text && parseJson(text);
    return text && typeof body === 'object' && body !== null ? [text] : [];
  });
