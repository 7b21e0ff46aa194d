/** A value per object is computed once, belongs to that object alone, and is freed with it. */
import { expect, test } from '@jest/globals';
import { perObject } from '../../src/memory/per-object.ts';
import { bytesKeptByYoungCollections, collectAll } from '../support/heap.ts';

test('the value of an object is computed once', () => {
  const computed: string[] = [];
  const value = perObject((key: { name: string }) => {
    computed.push(key.name);
    return { name: key.name };
  });
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  expect(value(a)).toBe(value(a));
  expect(value(b)).toEqual({ name: 'b' });
  expect(computed).toEqual(['a', 'b']);
});

test('each function has values of its own', () => {
  const object = { size: 2 };
  const double = perObject(({ size }: typeof object) => size * 2);
  const cube = perObject(({ size }: typeof object) => size ** 3);
  expect([double(object), cube(object)]).toEqual([4, 8]);
});

test('a value that is undefined is computed once', () => {
  let count = 0;
  const nothing = perObject((): undefined => void count++);
  const object = {};
  nothing(object);
  nothing(object);
  expect(count).toBe(1);
});

test('a value is found once it has been computed', () => {
  const value = perObject(({ name }: { name: string }) => `${name}!`);
  const object = { name: 'a' };
  expect(value.find(object)).toBeUndefined();
  value(object);
  expect(value.find(object)).toBe('a!');
});

test('nobody sees that an object has a value, and no copy has it', () => {
  const value = perObject((key: { name: string }) => ({ of: key }));
  const object = { name: 'a' };
  value(object);
  expect(Reflect.ownKeys(object)).toEqual(['name']);
  expect(JSON.stringify(object)).toBe('{"name":"a"}');
  expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  const copy = { ...object };
  expect(value(copy).of).toBe(copy);
});

test('a frozen object can have a value', () => {
  const value = perObject(({ name }: { name: string }) => `${name}!`);
  expect(value(Object.freeze({ name: 'a' }))).toBe('a!');
});

test('if the computation fails, it runs again for the next call', () => {
  let fails = true;
  const value = perObject(() => {
    if (fails) throw new Error('no');
    return 1;
  });
  const object = {};
  expect(() => value(object)).toThrow('no');
  fails = false;
  expect(value(object)).toBe(1);
});

test('collections of the young generation free values that refer to their objects', () => {
  const megabyte = 1_048_576;
  const value = perObject((key: object) => ({ key, parts: Array.from({ length: 1_000 }, (_, index) => ({ index })) }));
  value({});
  // As in a worker that runs for a while: what stays is old.
  collectAll();
  const bytes = bytesKeptByYoungCollections(() => {
    for (let count = 0; count < 300; count++) value({});
  });
  expect(bytes).toBeLessThan(megabyte);
});
