/** Keyword lists are parsed once per text, or once per request if they are long. */
import { expect, test } from '@jest/globals';
import { requestKeywords } from '../../src/openrtb/keywords.ts';
import { fullRequest } from '../support/full-request.ts';

const withKeywords = (keywords: string) => ({ ...fullRequest, site: { keywords } }) as never;

test('a list is parsed once for all requests that contain it', () => {
  expect(requestKeywords(withKeywords('Hiking, rain , hiking'))).toEqual(['hiking', 'rain']);
  expect(requestKeywords(withKeywords('Hiking, rain , hiking'))).toBe(
    requestKeywords(withKeywords('Hiking, rain , hiking')),
  );
});

test('a list too long for the cache is parsed once per request', () => {
  const request = withKeywords(`${','.repeat(5_000)}a,b`);
  expect(requestKeywords(request)).toEqual(['a', 'b']);
  expect(requestKeywords(request)).toBe(requestKeywords(request));
});
