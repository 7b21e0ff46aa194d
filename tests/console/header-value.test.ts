/** What can be sent as an API key. */
import { expect, test } from '@jest/globals';
import { isHeaderValue } from '../../src/console/logic/header-value.ts';

test.each(['', 'key-1', 'a b', 'ключ', 'k\u2011ey', 'kéy', 'a\nb', 'a\u0000'])('value %# as fetch decides', (text) => {
  const accept = () => new Headers({ 'X-Api-Key': text });
  if (isHeaderValue(text)) expect(accept).not.toThrow();
  else expect(accept).toThrow();
});

test('a non-Latin letter cannot be sent', () => expect(isHeaderValue('ключ')).toBe(false));
