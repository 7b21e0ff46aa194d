/** A transient map or set behaves like V8's own, and keeps nothing of an entry that is deleted. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TransientMap } from '../../src/memory/transient-map.ts';
import { TransientSet } from '../../src/memory/transient-set.ts';
import { bytesKeptByYoungCollections, collectAll } from '../support/heap.ts';

const anyOperation = fc.record({ kind: fc.constantFrom('add', 'delete'), key: fc.integer({ min: 0, max: 9 }) });
const operations = fc.array(anyOperation, { maxLength: 200 });

test('a map has what was set and not deleted', () => {
  fc.assert(
    fc.property(operations, (steps) => {
      const [map, model] = [new TransientMap<number, object>(), new Map<number, object>()];
      for (const { kind, key } of steps) {
        const value = { key };
        if (kind === 'delete') expect(map.delete(key)).toBe(model.delete(key));
        else {
          map.set(key, value);
          model.set(key, value);
        }
        expect(map.get(key)).toBe(model.get(key));
        expect(map.size).toBe(model.size);
      }
    }),
  );
});

test('a set has what was added and not deleted, and knows the oldest', () => {
  const items = Array.from({ length: 10 }, (_, key) => ({ key }));
  fc.assert(
    fc.property(operations, (steps) => {
      const [set, model] = [new TransientSet<object>(), new Set<object>()];
      for (const { kind, key } of steps) {
        const item = items[key]!;
        if (kind === 'delete') expect(set.delete(item)).toBe(model.delete(item));
        else {
          set.add(item);
          model.add(item);
        }
        expect(set.oldest).toBe(model.values().next().value);
        expect(set.size).toBe(model.size);
      }
    }),
  );
});

const megabyte = 1_048_576;
const createValue = () => ({ parts: Array.from({ length: 1_000 }, (_, index) => ({ index })) });
/** Each of about 24 kB, a few at a time, so many that the table is replaced often. */
const count = 600;
const atATime = 20;

test('a map keeps no value of a deleted entry', () => {
  const map = new TransientMap<number, object>();
  for (let key = 0; key < 100; key++) map.set(count + key, {});
  collectAll(); // as in a worker that runs for a while: the table is old
  const bytes = bytesKeptByYoungCollections(() => {
    for (let key = 0; key < count; key++) {
      map.set(key, createValue());
      map.delete(key - atATime);
    }
    for (let key = count - atATime; key < count; key++) map.delete(key);
  });
  expect(bytes).toBeLessThan(megabyte);
  expect(map.size).toBe(100);
});

test('a set keeps no deleted item', () => {
  const set = new TransientSet<object>();
  for (let key = 0; key < 100; key++) set.add({});
  collectAll();
  const bytes = bytesKeptByYoungCollections(() => {
    const added: object[] = [];
    for (let key = 0; key < count; key++) {
      const value = createValue();
      set.add(value);
      added.push(value);
      if (added.length > atATime) set.delete(added.shift()!);
    }
    for (const value of added) set.delete(value);
  });
  expect(bytes).toBeLessThan(megabyte);
  expect(set.size).toBe(100);
});
