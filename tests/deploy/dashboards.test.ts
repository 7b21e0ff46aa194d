/** Runs every query of the dashboards and alerts against a real Prometheus that scraped a real exchange through failures. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dashboards, renderDashboard } from '../../deploy/grafana/dashboards/source/dashboards.ts';
import { type Prometheus, promtool, startPrometheus } from '../support/prometheus.ts';
import { until } from '../support/until.ts';
import {
  killWorker,
  type MonitoredExchange,
  openStalledRequests,
  sendBurst,
  stallPrimary,
  startClients,
  startMonitoredExchange,
} from './monitored-exchange.ts';

/** Substitutes the variables as Grafana does if everything is selected. */
const filledIn = (expr: string) =>
  expr.replaceAll('$__rate_interval', '15s').replaceAll('$instance', '.*').replaceAll('$partner', '.*');

const panels = dashboards.flatMap(({ title, rows }) =>
  rows.flatMap((row) =>
    row.panels.flatMap((panel) =>
      panel.queries.map(({ expr, legend }) => ({ title, panel: panel.title, legend, expr })),
    ),
  ),
);

const runbooksFolder = new URL('../../deploy/runbooks/', import.meta.url);
const runbooks = () => readdirSync(runbooksFolder).map((file) => readFileSync(new URL(file, runbooksFolder), 'utf8'));

/** The metrics and recorded series in a query, with their label matchers. */
const selectorsIn = (query: string) =>
  query.match(/\b(exchange[_:]|(haproxy|nodejs|process)_)[\w:]+(\{[^}]*\})?/g) ?? [];

/** Findings of promtool about prom-client's own Node.js metrics. */
const findingsInPromClient =
  /^nodejs_active_(handles|requests|resources)_total non-counter metrics should not have "_total" suffix$/;

/** Panels of events that do not happen in this run. */
const zeroHere = [
  'Log lines dropped, last 10 minutes',
  'Auction log entries dropped, last 10 minutes',
  'Spans dropped, last 10 minutes',
  'Shed requests and cut connections: cut: {{reason}}',
  'Workers without a file descriptor',
  'Publishers with mostly invalid requests',
  'Time per request at HAProxy: connect',
];

/** Fields of lines about defects, which do not happen in this run. */
const fieldsOfDefects = ['err'];

let monitored: MonitoredExchange;
let haproxy: Server;
let clients: ReturnType<typeof startClients> | undefined;
let prometheus: Prometheus;
let startedAt: number;

/** Waits until the query returns a result; calls `meanwhile` before each attempt. */
const waitFor = (query: string, meanwhile?: () => Promise<void>) =>
  until(query, async () => {
    await meanwhile?.();
    return (await prometheus.query(query)).length > 0;
  });

beforeAll(async () => {
  monitored = await startMonitoredExchange();
  haproxy = await serveRecordedMetrics();
  const { port } = haproxy.address() as AddressInfo;
  prometheus = await startPrometheus([new URL(monitored.gavel.admin).host], [`127.0.0.1:${port}`]);
  startedAt = Date.now() / 1000;
  const { gavel, redis } = monitored;
  await waitFor('exchange_workers == 2');
  clients = startClients(gavel.endpoint);
  await waitFor('rate(exchange_errors_total{code="SERVICE_UNAVAILABLE"}[15s]) > 0', () =>
    openStalledRequests(gavel.endpoint),
  );
  await waitFor('rate(exchange_limit_decisions_total{scope="global"}[15s]) > 0', () => sendBurst(gavel.endpoint, 250));
  await waitFor('exchange_partner_breaker{partner="dead", state="open"} > 0');

  monitored.rejectRates();
  await waitFor('increase(exchange_rates_errors_total[1m]) > 0');

  await redis.kill();
  await waitFor('exchange_limit_mode{mode="degraded"} == 1');
  await redis.start();
  await waitFor('exchange_limit_mode{mode="redis"} == 1');

  await stallPrimary(gavel);
  await waitFor('increase(exchange_primary_stall_seconds_total[1m]) > 0');

  killWorker(gavel);
  await waitFor('increase(exchange_worker_deaths_total[1m]) > 0');
  await waitFor('exchange_workers == 2');
  await clients.stop();
}, 180_000);
afterAll(async () => {
  await clients?.stop(); // also if the set-up failed: they would keep Jest running
  await prometheus?.end();
  haproxy?.close();
  await monitored?.stop();
});

describe.each(dashboards.map(({ title }) => title))('%s', (title) => {
  test.each(panels.filter((panel) => panel.title === title))('$panel: $legend', async ({ panel, legend, expr }) => {
    const lines = await prometheus.queryRange(filledIn(expr), startedAt);
    const values = lines.flatMap((line) => line.values.map(([, value]) => Number(value))).filter(Number.isFinite);
    expect(values.length).toBeGreaterThan(0);
    expect(values.some((value) => value !== 0)).toBe(
      !zeroHere.includes(panel) && !zeroHere.includes(`${panel}: ${legend}`),
    );
  });
});

test.each(dashboards)('$title: the generated file is up to date (make dashboards)', async (dashboard) => {
  const { path, text } = await renderDashboard(dashboard);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('every series that a rule selects exists with those labels', async () => {
  const rules = await prometheus.rules();
  expect(rules.map(({ name, health }) => `${name} ${health}`).filter((rule) => !rule.endsWith(' ok'))).toEqual([]);
  const selectors = new Set(rules.flatMap(({ query }) => selectorsIn(query)));
  const absent: string[] = [];
  for (const selector of selectors) {
    if ((await prometheus.query(`last_over_time(${selector}[5m])`)).length === 0) absent.push(selector);
  }
  expect(absent).toEqual([]);
});

test('every metric that a runbook names exists', async () => {
  const series = await prometheus.query('count by (__name__) ({__name__=~".+"})');
  const known = new Set(series.map(({ metric }) => metric.__name__));
  const named = runbooks().flatMap((text) => text.match(/\b(exchange[_:]|(haproxy|nodejs|process)_)[\w:]+/g) ?? []);
  const complete = new Set(named.filter((name) => !name.endsWith('_'))); // the others are parts of a regular expression
  expect(complete.size).toBeGreaterThan(0);
  expect([...complete].filter((name) => !known.has(name))).toEqual([]);
});

test('every metric of the exchange is on a dashboard and in the documentation', async () => {
  const metrics = await scrape();
  const names = [...metrics.matchAll(/^# TYPE (exchange_\w+)/gm)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !panels.some(({ expr }) => expr.includes(name)))).toEqual([]);
  const documentation = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  expect(names.filter((name) => !documentation.includes(`\`${name}\``))).toEqual([]);
});

test('counters do not decrease when a worker exits', async () => {
  const cumulative = '(exchange|process_cpu|nodejs_gc)_.+_(total|count|sum|bucket)';
  const counters = await prometheus.query(`count by (__name__) ({__name__=~"${cumulative}"})`);
  const names = counters.map(({ metric }) => metric.__name__);
  expect(names).toEqual(expect.arrayContaining(['exchange_bids_total', 'process_cpu_system_seconds_total']));
  for (const { metric } of counters) {
    expect(await prometheus.query(`resets(${metric.__name__}[5m]) > 0`)).toEqual([]);
  }
});

test('promtool finds no problem in the metrics', async () => {
  const { output } = promtool(['check', 'metrics'], await scrape());
  expect(output.split('\n').filter((line) => line !== '' && !findingsInPromClient.test(line))).toEqual([]);
});

test('the log has the fields and errors that the runbooks filter by', () => {
  const output = monitored.gavel.output().split('\n');
  const lines = output
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const fields = new Set([...fieldsOfDefects, ...lines.flatMap((line) => Object.keys(line))]);
  const filters = runbooks().flatMap((text) => text.match(/(?<=\blogs \| jq -\w+ 'fromjson\? \| )[^']+/g) ?? []);
  const usedFields = filters.flatMap(
    (filter) => filter.replaceAll(/== "[^"]*"/g, '').match(/(?<=\.|has\(")\w+/g) ?? [],
  );
  const usedErrors = filters.flatMap((filter) => filter.match(/(?<=\.error == ")[^"]+/g) ?? []);
  expect([usedFields.length, usedErrors.length]).not.toContain(0);
  expect(usedFields.filter((field) => !fields.has(field))).toEqual([]);
  expect(usedErrors.filter((error) => !lines.some((line) => line.error === error))).toEqual([]);
});

/** Serves the metrics of a HAProxy, which the tests do not start. Its counters grow by their recorded values with every scrape. */
async function serveRecordedMetrics(): Promise<Server> {
  const text = readFileSync(new URL('haproxy-metrics.txt', import.meta.url), 'utf8');
  let scrapes = 0;
  const server = createServer((_request, response) => {
    scrapes++;
    const grown = text.replaceAll(/(?<=^\w+_total\{.*\} )\d+$/gm, (value) => String(Number(value) * scrapes));
    response.setHeader('content-type', 'text/plain').end(grown);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const scrape = async () => (await fetch(`${monitored.gavel.admin}/metrics`)).text();
