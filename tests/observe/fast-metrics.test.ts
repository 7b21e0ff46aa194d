/** The hot path's counters and histograms tell the registry what prom-client's own would. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AggregatorRegistry, Counter, Histogram, Registry } from 'prom-client';
import { FastCounter, FastHistogram } from '../../src/observe/fast-metrics.ts';

const buckets = [0.001, 0.01, 0.1, 1];
const shared = { name: 'm', help: 'some metric', labelNames: ['kind', 'mode'] };
const label = fc.constantFrom('a', 'b', '"quoted"', '');
const seconds = fc.oneof(fc.constantFrom(0, 0.001, 0.01, 1, 1.0001), fc.double({ min: 0, max: 5, noNaN: true }));
const observations = fc.array(fc.tuple(label, label, seconds), { minLength: 1 });

test('histograms', async () => {
  await fc.assert(
    fc.asyncProperty(observations, async (all) => {
      const [register, theirs] = [new Registry(), new Registry()];
      const ours = new FastHistogram({ ...shared, buckets, register });
      const model = new Histogram({ ...shared, buckets, registers: [theirs] });
      for (const [kind, mode, value] of all) {
        ours.child(kind, mode).observe(value);
        model.observe({ kind, mode }, value);
      }
      expect(await register.metrics()).toBe(await theirs.metrics());
      expect(await aggregated(register)).toBe(await aggregated(theirs));
    }),
  );
});

test('counters', async () => {
  await fc.assert(
    fc.asyncProperty(observations, async (all) => {
      const [register, theirs] = [new Registry(), new Registry()];
      const ours = new FastCounter({ ...shared, register });
      const model = new Counter({ ...shared, registers: [theirs] });
      for (const [kind, mode] of all) {
        ours.child(kind, mode).inc();
        model.inc({ kind, mode });
      }
      expect(await register.metrics()).toBe(await theirs.metrics());
      expect(await aggregated(register)).toBe(await aggregated(theirs));
    }),
  );
});

test('a cell is told from the moment it is there, at zero', async () => {
  const register = new Registry();
  new FastCounter({ ...shared, register }).child('a', 'b');
  expect(await register.metrics()).toContain('m{kind="a",mode="b"} 0');
});

/** As the primary sums what comes over IPC, here of two workers that saw the same. */
async function aggregated(register: Registry): Promise<string> {
  const snapshot = JSON.parse(JSON.stringify(await register.getMetricsAsJSON())) as unknown[];
  return AggregatorRegistry.aggregate([snapshot, snapshot] as never).metrics();
}
