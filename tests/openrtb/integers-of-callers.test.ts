/** V8's hash of an integer has no secret: a Set or a Map takes quadratic time for integers that a caller chooses, unless there are few. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { collidingInteger } from '../../load/audit/values/colliding-integers.ts';
import { checkNativeResponse } from '../../src/openrtb/check-native-response.ts';
import { collectNativeErrors } from '../../src/openrtb/decode-native-request.ts';

const integers = Array.from({ length: 5_000 }, (_, index) => collidingInteger(index));
const areGiven = new Set(integers);

/** How many of the integers were stored. */
let stored = 0;
let restore: (() => void)[] = [];
beforeEach(() => {
  stored = 0;
  restore = [countIn(Set.prototype, 'add'), countIn(Map.prototype, 'set')];
});
afterEach(() => {
  for (const one of restore) one();
});

function countIn(prototype: object, name: string): () => void {
  const original = Object.getOwnPropertyDescriptor(prototype, name)!;
  const value = function (this: unknown, ...args: unknown[]): unknown {
    if (areGiven.has(args[0] as number)) stored++;
    return Reflect.apply(original.value as () => unknown, this, args);
  };
  Object.defineProperty(prototype, name, { ...original, value });
  return () => Object.defineProperty(prototype, name, original);
}

const few = 100;

test('the methods of event trackers', () => {
  const native = { assets: [{ id: 1, title: { len: 25 } }], eventtrackers: [{ event: 1, methods: integers }] };
  const [method] = integers.slice(-1);
  const adm = JSON.stringify({
    assets: [{ id: 1, title: { text: 'Trail shoes' } }],
    link: { url: 'https://shoes.example/' },
    eventtrackers: [{ event: 1, method, url: 'https://shoes.example/seen' }],
  });
  expect(checkNativeResponse(adm, { native, form: 'unwrapped' }, false)).toEqual({ adm, repairs: [] });
  expect(stored).toBeLessThan(few);
});

test('the ids of too many assets, in test mode', () => {
  const assets = integers.map((id) => ({ id, title: { len: 25 } }));
  expect(collectNativeErrors(JSON.stringify({ assets }))).toMatchObject([{ row: 'native.content' }]);
  expect(stored).toBeLessThan(few);
});
