/** What operators see of real processes: metrics summed over the workers, the verdict on the targets, the log. */
import { afterEach, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { fullRequest } from '../support/full-request.ts';
import { sendRawTo } from '../support/send-raw.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';
import { post } from '../support/traffic.ts';
import { until } from '../support/until.ts';

let gavel: Gavel;
afterEach(async () => {
  if (gavel.process.exitCode === null) await gavel.end();
});

const send = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(gavel.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** The value of a series, 0 where it is not there. */
async function value(series: string): Promise<number> {
  const text = await (await fetch(`${gavel.admin}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.split(' ').at(-1));
}

const workers = (): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(gavel.process.pid)])
    .toString()
    .trim()
    .split(/\s+/)
    .map(Number);

const requestLines = (): string[] =>
  gavel
    .output()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'));

const requests = (outcome: string, mode = 'live') =>
  value(`exchange_request_duration_seconds_count{outcome="${outcome}",mode="${mode}"}`);

test('requests of all workers are counted by outcome, test traffic apart', async () => {
  gavel = await startGavel({ WORKERS: '2', LIMIT_IP: '8' });
  for (let i = 0; i < 4; i++) await post(gavel.endpoint, `203.0.113.${i}`);
  await send({ ...fullRequest, test: 1 });
  await send({ ...fullRequest, imp: [] });
  await send('{');
  await fetch(gavel.endpoint);
  const refused = await Promise.all(Array.from({ length: 20 }, () => post(gavel.endpoint, '203.0.113.99')));
  const refusals = refused.filter(({ status }) => status === 429).length;
  expect(refusals).toBeGreaterThan(0);

  expect(await requests('bid')).toBe(4 + 20 - refusals);
  expect(await requests('bid', 'test')).toBe(1);
  expect(await requests('invalid')).toBe(3);
  expect(await requests('refused')).toBe(refusals);
  expect(await value('exchange_errors_total{code="INVALID_FIELD_VALUE"}')).toBe(1);
  expect(await value('exchange_errors_total{code="METHOD_NOT_ALLOWED"}')).toBe(1);
  expect(await value('exchange_limit_decisions_total{verdict="refused",scope="ip"}')).toBe(refusals);
  expect(await value('exchange_limit_mode{mode="embedded"}')).toBe(1);
  expect(await value('exchange_limit_mode{mode="redis"}')).toBe(0);
  expect(await value('exchange_workers')).toBe(2);
  const bids = await value('exchange_bids_total{partner="house",verdict="won"}');
  expect(bids).toBe(2 * (4 + 20 - refusals)); // two impressions each; test auctions are not counted
});

test('no counter falls back when a worker dies or is rolled', async () => {
  gavel = await startGavel({ WORKERS: '2', LIMIT_IP: '1000000' });
  for (let i = 0; i < 40; i++) await post(gavel.endpoint, '203.0.113.7');
  expect(await requests('bid')).toBe(40);
  const cpuSeconds = await value('process_cpu_seconds_total');
  process.kill(workers()[0]!, 'SIGKILL');
  await until('its death is counted', async () => (await value('exchange_worker_deaths_total')) === 1);
  expect(await value('process_cpu_seconds_total')).toBeGreaterThanOrEqual(cpuSeconds);
  await until('it is replaced', () => gavel.output().includes('a worker was replaced'));
  expect(await requests('bid')).toBe(40);
  gavel.process.kill('SIGHUP');
  await until('all are new', () => gavel.output().includes('all workers are new'));
  await post(gavel.endpoint, '203.0.113.7');
  expect(await requests('bid')).toBe(41);
});

test('what can be counted is there from the start, at zero, and so is what the primary tells of itself', async () => {
  gavel = await startGavel({ WORKERS: '1' });
  const text = await (await fetch(`${gavel.admin}/metrics`)).text();
  for (const code of ['GDPR_CONSENT_MISSING', 'GDPR_CONSENT_UNDECODABLE', 'GPP_UNDECODABLE'])
    expect(text).toContain(`exchange_warnings_total{code="${code}"} 0\n`);
  expect(text).toContain('exchange_errors_total{code="INTERNAL_ERROR"} 0\n');
  for (const own of ['cpu_seconds_total', 'resident_memory_bytes', 'event_loop_lag_max_seconds'])
    expect(text).toMatch(new RegExp(`^exchange_primary_${own} [\\d.e-]+$`, 'm'));
});

test('the verdict on the targets is there', async () => {
  gavel = await startGavel({ WORKERS: '1' });
  for (let i = 0; i < 20; i++) await post(gavel.endpoint, '203.0.113.7');
  expect(await (await fetch(`${gavel.admin}/slo`)).json()).toMatchObject({
    targets: { p50Ms: 50, p95Ms: 100, p99Ms: 200, rps: 10_000 },
    measured: { p50Ms: expect.any(Number), p99Ms: expect.any(Number), rps: expect.any(Number) },
    met: { rps: false },
  });
});

test('a line tells what became of a request, and nothing of who it is about', async () => {
  gavel = await startGavel({ WORKERS: '1', LOG_SAMPLE: '1' });
  const answer = await send(fullRequest, { 'x-forwarded-for': '198.51.100.77' });
  await send({ ...fullRequest, tmax: 1 }, { 'x-forwarded-for': '198.51.100.77' });
  await until('both lines are there', () => gavel.output().includes('"reason":"number.min"'));
  const lines = requestLines().map((line) => JSON.parse(line) as object);
  for (const line of lines) expect(line).not.toHaveProperty('responseTime'); // there is one duration, its own
  expect(lines).toMatchObject([
    { requestId: answer.headers.get('x-request-id'), outcome: 'bid', publisher: 'pub-1', res: { statusCode: 200 } },
    { outcome: 'invalid', reason: 'number.min', res: { statusCode: 400 } },
  ]);
  const { user, device } = fullRequest;
  for (const secret of ['198.51.100.77', '127.0.0.1', device.ip, user.id, user.ext.consent, device.ua]) {
    expect(JSON.stringify(lines)).not.toContain(secret);
  }
});

test('answers without an error are logged by their share, refusals and errors by the second', async () => {
  gavel = await startGavel({ WORKERS: '1', LOG_SAMPLE: '0', LIMIT_IP: '1000000' });
  for (let i = 0; i < 5; i++) await post(gavel.endpoint, '203.0.113.7');
  for (let i = 0; i < 60; i++) await send('{');
  await until('the log is written', () => gavel.output().includes('body.notJson'));
  const lines = requestLines();
  expect(lines.some((line) => line.includes('"outcome":"bid"'))).toBe(false);
  expect(lines.length).toBeLessThan(60);
});

test('what is no HTTP is logged too, with the id of its answer', async () => {
  gavel = await startGavel({ WORKERS: '1', LOG_SAMPLE: '0' });
  const { headers } = await sendRawTo(Number(new URL(gavel.endpoint).port), 'garbage\r\n\r\n');
  await until('the line is there', () => requestLines().length === 1);
  expect(JSON.parse(requestLines()[0]!)).toMatchObject({
    requestId: headers['x-request-id'],
    outcome: 'invalid',
    reason: 'http.malformed',
  });
});
