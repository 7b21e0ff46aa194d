/** The check of a partner's native response: the work it takes. Its rules are cases of tests/openrtb/markup and tests/auction/check-bid. */
import { expect, test } from '@jest/globals';
import { checkNativeResponse } from '../../src/openrtb/check-native-response.ts';

test('the offered trackers are read once per request, not once per tracker or response', () => {
  let visits = 0;
  const counted = (offer: object) =>
    new Proxy(offer, {
      get: (target, name) => {
        visits++;
        return target[name as keyof typeof target] as unknown;
      },
    });
  const offers = Array.from({ length: 8_000 }, (_, event) => counted({ event: event + 2, methods: [1] }));
  const native = {
    assets: [{ id: 1, title: { len: 25 } }],
    eventtrackers: [...offers, { event: 1, methods: [1] }],
  };
  const adm = JSON.stringify({
    assets: [{ id: 1, title: { text: 'Trail shoes' } }],
    link: { url: 'https://shoes.example/' },
    eventtrackers: Array.from({ length: 50 }, () => ({ event: 1, method: 1, url: 'https://shoes.example/seen' })),
  });
  const placement = { native, form: 'unwrapped' as const };
  for (let response = 0; response < 10; response++)
    expect(checkNativeResponse(adm, placement, false)).toEqual({ adm, repairs: [] });
  expect(visits).toBeLessThanOrEqual(offers.length * 5);
});
