/** Usage counts in full for a period and fades in the next; a client that is not known ranks behind those that take little. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ClientUsage } from '../../src/overload/client-usage.ts';

test('usage adds up, by client', () => {
  const usage = new ClientUsage();
  usage.charge('a', 3, 0);
  usage.charge('a', 4, 100);
  usage.charge('b', 1, 100);
  expect(usage.of('a', 200)).toBe(7);
  expect(usage.of('b', 200)).toBe(1);
});

test('a request counts as soon as it starts', () => {
  const usage = new ClientUsage();
  usage.start('a', 0);
  expect(usage.of('a', 0)).toBe(0.5);
});

test('a request that is shed counts, unless its client is not known', () => {
  const usage = new ClientUsage();
  usage.charge('a', 3, 0);
  for (const client of ['a', 'unknown']) usage.refuse(client, 100);
  expect(usage.of('a', 100)).toBe(4);
  expect(usage.of('unknown', 100)).toBe(usage.of('another', 100));
});

test('usage fades in the period after', () => {
  const usage = new ClientUsage();
  usage.charge('a', 8, 0);
  expect(usage.of('a', 1_250)).toBe(6);
  expect(usage.of('a', 1_750)).toBe(2);
});

test('a client that is not known ranks behind those that take little, and before those that take much', () => {
  const usage = new ClientUsage();
  usage.charge('little', 20, 0);
  usage.charge('much', 400, 0);
  const byUsage = ['much', 'unknown', 'little'].toSorted((a, b) => usage.of(a, 0) - usage.of(b, 0));
  expect(byUsage).toEqual(['little', 'unknown', 'much']);
});

test('a client without requests for two periods is not known any more', () => {
  const usage = new ClientUsage();
  usage.charge('a', 1, 0);
  expect(usage.of('a', 2_000)).toBe(usage.of('unknown', 2_000));
});

test('usage is never more than what two periods charged, nor less than what the current one did', () => {
  const charges = fc.array(fc.tuple(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 1, max: 20 })), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(charges, (all) => {
      const usage = new ClientUsage();
      let nowMs = 0;
      const charged: { atMs: number; costMs: number }[] = [];
      for (const [elapsedMs, costMs] of all) {
        nowMs += elapsedMs;
        usage.charge('a', costMs, nowMs);
        charged.push({ atMs: nowMs, costMs });
      }
      const within = (spanMs: number) =>
        charged.filter(({ atMs }) => nowMs - atMs <= spanMs).reduce((sum, { costMs }) => sum + costMs, 0);
      expect(usage.of('a', nowMs)).toBeGreaterThanOrEqual(within(0));
      expect(usage.of('a', nowMs)).toBeLessThanOrEqual(within(2_000));
    }),
  );
});
