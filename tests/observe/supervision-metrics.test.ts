import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { createSupervisionMetrics } from '../../src/observe/supervision-metrics.ts';

test('the gauge of the reload is 1 until a reload fails, and again after one that succeeds', async () => {
  const metrics = createSupervisionMetrics();
  const registry = new Registry();
  for (const metric of metrics.all) registry.registerMetric(metric);
  const value = async () =>
    (await registry.getSingleMetric('exchange_config_reload_successful')!.get()).values[0]!.value;
  expect(await value()).toBe(1);
  metrics.setReload(false);
  expect(await value()).toBe(0);
  metrics.setReload(true);
  expect(await value()).toBe(1);
});
