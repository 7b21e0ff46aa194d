/** Every panel's query, asked of a real Prometheus that watched a real exchange through good and bad times. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { dashboards, renderDashboard } from '../../deploy/grafana/dashboards/source/dashboards.ts';
import { type Prometheus, promtool, startPrometheus } from '../support/prometheus.ts';
import { until } from '../support/until.ts';
import { crowd, killWorker, type Scene, setScene, stall, startCallers } from './dashboards-scene.ts';

/** What Grafana puts in when everything is chosen. */
const filledIn = (expr: string) =>
  expr.replaceAll('$__rate_interval', '15s').replaceAll('$instance', '.*').replaceAll('$partner', '.*');

const panels = dashboards.flatMap(({ title, rows }) =>
  rows.flatMap((row) =>
    row.panels.flatMap((panel) =>
      panel.queries.map(({ expr, legend }) => ({ title, panel: panel.title, legend, expr })),
    ),
  ),
);

/** Names of the exchange's metrics and recorded series, with the labels that are asked for. */
const selectorsIn = (query: string) => query.match(/\bexchange[_:][\w:]+(\{[^}]*\})?/g) ?? [];

/** What promtool finds in prom-client's own metrics of Node.js, which are not ours to name. */
const notOurs =
  /^nodejs_active_(handles|requests|resources)_total non-counter metrics should not have "_total" suffix$/;

let scene: Scene;
let prometheus: Prometheus;
let startedAt: number;

/** Waits until the query finds something; `meanwhile` is done again and again. */
const holds = (query: string, meanwhile?: () => Promise<void>) =>
  until(query, async () => {
    await meanwhile?.();
    return (await prometheus.query(query)).length > 0;
  });

beforeAll(async () => {
  scene = await setScene();
  prometheus = await startPrometheus([new URL(scene.gavel.admin).host]);
  startedAt = Date.now() / 1000;
  const { gavel, redis } = scene;
  await holds('exchange_workers == 2');
  const callers = startCallers(gavel.endpoint);
  await holds('rate(exchange_errors_total{code="SERVICE_UNAVAILABLE"}[15s]) > 0', () => stall(gavel.endpoint));
  await holds('rate(exchange_limit_decisions_total{scope="global"}[15s]) > 0', () => crowd(gavel.endpoint, 250));
  await holds('exchange_partner_breaker{partner="dead", state="open"} > 0');

  await redis.kill();
  await holds('exchange_limit_mode{mode="degraded"} == 1');
  await redis.start();
  await holds('exchange_limit_mode{mode="redis"} == 1');

  killWorker(gavel);
  await holds('increase(exchange_worker_deaths_total[1m]) > 0');
  await holds('exchange_workers == 2');
  await callers.stop();
}, 90_000);
afterAll(async () => {
  await prometheus?.end();
  await scene?.end();
});

describe.each(dashboards.map(({ title }) => title))('%s', (title) => {
  test.each(panels.filter((panel) => panel.title === title))('$panel: $legend', async ({ expr }) => {
    const lines = await prometheus.queryRange(filledIn(expr), startedAt);
    const values = lines.flatMap((line) => line.values.map(([, value]) => Number(value))).filter(Number.isFinite);
    expect(values.some((value) => value !== 0)).toBe(true);
  });
});

test.each(dashboards)('$title: the file that Grafana reads is up to date (make dashboards)', async (dashboard) => {
  const { path, text } = await renderDashboard(dashboard);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('every series that a rule asks for is there, with those labels', async () => {
  const rules = await prometheus.rules();
  expect(rules.map(({ name, health }) => `${name} ${health}`).filter((rule) => !rule.endsWith(' ok'))).toEqual([]);
  const selectors = new Set(rules.flatMap(({ query }) => selectorsIn(query)));
  const absent: string[] = [];
  for (const selector of selectors) {
    if ((await prometheus.query(`last_over_time(${selector}[5m])`)).length === 0) absent.push(selector);
  }
  expect(absent).toEqual([]);
});

test('every metric of the exchange is on a dashboard', async () => {
  const metrics = await scrape();
  const names = [...metrics.matchAll(/^# TYPE (exchange_\w+)/gm)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !panels.some(({ expr }) => expr.includes(name)))).toEqual([]);
});

test('a worker that dies takes nothing back that was counted', async () => {
  const cumulative = '(exchange|process_cpu|nodejs_gc)_.+_(total|count|sum|bucket)';
  const counters = await prometheus.query(`count by (__name__) ({__name__=~"${cumulative}"})`);
  const names = counters.map(({ metric }) => metric.__name__);
  expect(names).toEqual(expect.arrayContaining(['exchange_bids_total', 'process_cpu_system_seconds_total']));
  for (const { metric } of counters) {
    expect(await prometheus.query(`resets(${metric.__name__}[5m]) > 0`)).toEqual([]);
  }
});

test('promtool finds nothing amiss in the metrics', async () => {
  const { output } = promtool(['check', 'metrics'], await scrape());
  expect(output.split('\n').filter((line) => line !== '' && !notOurs.test(line))).toEqual([]);
});

const scrape = async () => (await fetch(`${scene.gavel.admin}/metrics`)).text();
