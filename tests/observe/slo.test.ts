/** The SLO report, computed from histograms. */
import { describe, expect, test } from '@jest/globals';
import { createMetrics } from '../../src/observe/metrics.ts';
import { Recorder } from '../../src/observe/recorder.ts';
import { readLatencies, SloWindow } from '../../src/observe/slo.ts';

function start(windowMs = 60_000) {
  const metrics = createMetrics();
  const window = new SloWindow(windowMs, 0);
  const countsAt = async (atMs: number) => readLatencies(await metrics.register.getMetricsAsJSON(), atMs);
  return {
    recorder: new Recorder(metrics),
    addToWindow: async (atMs: number) => window.add(await countsAt(atMs)),
    report: async (atMs: number) => window.report(await countsAt(atMs)),
  };
}

test('measures nothing and meets no target without live traffic', async () => {
  const { recorder, report } = start();
  recorder.request('bid', 'test', 5);
  expect(await report(1_000)).toMatchObject({
    measured: { p50Ms: null, p95Ms: null, p99Ms: null, rps: null },
    met: { p50Ms: false, p95Ms: false, p99Ms: false, rps: false },
  });
});

test('meets the latency targets with fast responses, and counts every live request in the rate', async () => {
  const { recorder, report } = start();
  for (let i = 0; i < 990; i++) recorder.request('bid', 'live', 4);
  for (let i = 0; i < 10; i++) recorder.request('invalid', 'live', 1);
  const { targets, measured, met } = await report(2_000);
  expect(targets).toEqual({ p50Ms: 50, p95Ms: 100, p99Ms: 200, rps: 10_000 });
  expect(measured.rps).toBe(500);
  expect(measured.p50Ms).toBeGreaterThan(3);
  expect(measured.p99Ms).toBeLessThanOrEqual(5);
  expect(met).toEqual({ p50Ms: true, p95Ms: true, p99Ms: true, rps: false });
});

describe('with one slow response per', () => {
  test.each([
    [10, { p50Ms: true, p95Ms: false, p99Ms: false }],
    [30, { p50Ms: true, p95Ms: true, p99Ms: false }],
    [200, { p50Ms: true, p95Ms: true, p99Ms: true }],
  ])('%d responses', async (every, met) => {
    const { recorder, report } = start();
    for (let i = 0; i < 1_000; i++) recorder.request('no_bid', 'live', i % every === 0 ? 400 : 4);
    expect((await report(1_000)).met).toMatchObject(met);
  });
});

test('meets the rate target at 10,000 requests per second', async () => {
  const { recorder, report } = start();
  for (let i = 0; i < 10_000; i++) recorder.request('bid', 'live', 4);
  expect((await report(1_000)).met.rps).toBe(true);
});

test('ignores requests older than the window', async () => {
  const { recorder, addToWindow, report } = start(10_000);
  for (let i = 0; i < 100; i++) recorder.request('bid', 'live', 900);
  for (const atMs of [5_000, 10_000, 15_000]) await addToWindow(atMs);
  for (let i = 0; i < 100; i++) recorder.request('bid', 'live', 4);
  const { windowSeconds, met } = await report(20_000);
  expect(windowSeconds).toBeLessThanOrEqual(15);
  expect(met.p99Ms).toBe(true);
});
