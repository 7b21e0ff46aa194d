/** Keyword lists of any length are read once a request. */
import { expect, test } from '@jest/globals';
import { requestKeywords } from '../../src/openrtb/keywords.ts';
import { fullRequest } from '../support/full-request.ts';

const withKeywords = (keywords: string) => ({ ...fullRequest, site: { keywords } }) as never;

test('the list of a page is read once for all its requests', () => {
  expect(requestKeywords(withKeywords('Hiking, rain , hiking'))).toEqual(['hiking', 'rain']);
  expect(requestKeywords(withKeywords('Hiking, rain , hiking'))).toBe(
    requestKeywords(withKeywords('Hiking, rain , hiking')),
  );
});

test('a list too long to be remembered is read once for its request', () => {
  const request = withKeywords(`${','.repeat(5_000)}a,b`);
  expect(requestKeywords(request)).toEqual(['a', 'b']);
  expect(requestKeywords(request)).toBe(requestKeywords(request));
});
