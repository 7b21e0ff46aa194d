/** FastCounter and FastHistogram export the same text as prom-client's Counter and Histogram. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AggregatorRegistry, Counter, Histogram, Registry } from 'prom-client';
import { FastCounter, FastHistogram } from '../../src/observe/fast-metrics.ts';

const buckets = [0.001, 0.01, 0.1, 1];
const shared = { name: 'm', help: 'a metric', labelNames: ['kind', 'mode'] };
const label = fc.constantFrom('a', 'b', '"quoted"', '');
const seconds = fc.oneof(fc.constantFrom(0, 0.001, 0.01, 1, 1.0001), fc.double({ min: 0, max: 5, noNaN: true }));
const observations = fc.array(fc.tuple(label, label, seconds), { minLength: 1 });

test('a histogram exports the same text as prom-client', async () => {
  await fc.assert(
    fc.asyncProperty(observations, async (all) => {
      const [register, referenceRegister] = [new Registry(), new Registry()];
      const fast = new FastHistogram({ ...shared, buckets, register });
      const reference = new Histogram({ ...shared, buckets, registers: [referenceRegister] });
      for (const [kind, mode, value] of all) {
        fast.child(kind, mode).observe(value);
        reference.observe({ kind, mode }, value);
      }
      expect(await register.metrics()).toBe(await referenceRegister.metrics());
      expect(await aggregate(register)).toBe(await aggregate(referenceRegister));
    }),
  );
});

test('a counter exports the same text as prom-client', async () => {
  await fc.assert(
    fc.asyncProperty(observations, async (all) => {
      const [register, referenceRegister] = [new Registry(), new Registry()];
      const fast = new FastCounter({ ...shared, register });
      const reference = new Counter({ ...shared, registers: [referenceRegister] });
      for (const [kind, mode] of all) {
        fast.child(kind, mode).inc();
        reference.inc({ kind, mode });
      }
      expect(await register.metrics()).toBe(await referenceRegister.metrics());
      expect(await aggregate(register)).toBe(await aggregate(referenceRegister));
    }),
  );
});

test('a child is exported with value 0 as soon as it is created', async () => {
  const register = new Registry();
  new FastCounter({ ...shared, register }).child('a', 'b');
  expect(await register.metrics()).toContain('m{kind="a",mode="b"} 0');
});

/** Aggregates like the primary, for two workers with the same snapshot. */
async function aggregate(register: Registry): Promise<string> {
  const snapshot = JSON.parse(JSON.stringify(await register.getMetricsAsJSON())) as unknown[];
  return AggregatorRegistry.aggregate([snapshot, snapshot] as never).metrics();
}
