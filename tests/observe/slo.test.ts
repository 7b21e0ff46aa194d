/** The verdict on the targets, from histograms. */
import { describe, expect, test } from '@jest/globals';
import { createMetrics } from '../../src/observe/metrics.ts';
import { Recorder } from '../../src/observe/recorder.ts';
import { readLatencies } from '../../src/observe/slo.ts';
import { SloWindow } from '../../src/observe/slo-window.ts';

function start(windowMs = 60_000) {
  const catalogue = createMetrics();
  const window = new SloWindow(windowMs, 0);
  return {
    recorder: new Recorder(catalogue),
    remember: async (atMs: number) => window.add(readLatencies(await catalogue.register.getMetricsAsJSON(), atMs)),
    judge: async (atMs: number) => window.judge(readLatencies(await catalogue.register.getMetricsAsJSON(), atMs)),
  };
}

test('without live traffic nothing is measured, and nothing met', async () => {
  const { recorder, judge } = start();
  recorder.request('bid', 'test', 5);
  expect(await judge(1_000)).toMatchObject({
    measured: { p50Ms: null, p95Ms: null, p99Ms: null, rps: null },
    met: { p50Ms: false, p95Ms: false, p99Ms: false, rps: false },
  });
});

test('fast answers meet the latency targets; the rate counts every live request', async () => {
  const { recorder, judge } = start();
  for (let i = 0; i < 990; i++) recorder.request('bid', 'live', 4);
  for (let i = 0; i < 10; i++) recorder.request('invalid', 'live', 1);
  const { targets, measured, met } = await judge(2_000);
  expect(targets).toEqual({ p50Ms: 50, p95Ms: 100, p99Ms: 200, rps: 10_000 });
  expect(measured.rps).toBe(500);
  expect(measured.p50Ms).toBeGreaterThan(3);
  expect(measured.p99Ms).toBeLessThanOrEqual(5);
  expect(met).toEqual({ p50Ms: true, p95Ms: true, p99Ms: true, rps: false });
});

describe('one slow answer in', () => {
  test.each([
    [10, { p50Ms: true, p95Ms: false, p99Ms: false }],
    [30, { p50Ms: true, p95Ms: true, p99Ms: false }],
    [200, { p50Ms: true, p95Ms: true, p99Ms: true }],
  ])('%d', async (every, met) => {
    const { recorder, judge } = start();
    for (let i = 0; i < 1_000; i++) recorder.request('no_bid', 'live', i % every === 0 ? 400 : 4);
    expect((await judge(1_000)).met).toMatchObject(met);
  });
});

test('ten thousand a second meet the target for the rate', async () => {
  const { recorder, judge } = start();
  for (let i = 0; i < 10_000; i++) recorder.request('bid', 'live', 4);
  expect((await judge(1_000)).met.rps).toBe(true);
});

test('what is older than the window does not count', async () => {
  const { recorder, remember, judge } = start(10_000);
  for (let i = 0; i < 100; i++) recorder.request('bid', 'live', 900);
  for (const atMs of [5_000, 10_000, 15_000]) await remember(atMs);
  for (let i = 0; i < 100; i++) recorder.request('bid', 'live', 4);
  const report = await judge(20_000);
  expect(report.windowSeconds).toBeLessThanOrEqual(15);
  expect(report.met.p99Ms).toBe(true);
});
