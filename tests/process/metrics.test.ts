/** Observability of real processes: metrics aggregated over the workers, the SLO report, the request log. */
import { afterAll, expect, test } from '@jest/globals';
import { fullRequest } from '../support/full-request.ts';
import { sendRawTo } from '../support/send-raw.ts';
import { childPids, type Gavel, startGavel } from '../support/start-gavel.ts';
import { post } from '../support/traffic.ts';
import { until } from '../support/until.ts';

let gavel: Gavel;
let settings = '';
afterAll(() => gavel.end());

/** Consecutive tests with the same settings share one exchange: most of their time is its start. */
async function useGavel(variables: Record<string, string>): Promise<void> {
  const wanted = JSON.stringify(variables);
  if (wanted === settings) return;
  if (settings !== '') await gavel.end();
  gavel = await startGavel(variables);
  settings = wanted;
}

const oneWorker = { WORKERS: '1', LOG_SAMPLE: '0', LIMIT_IP: '1000000' };

const send = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(gavel.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** The value of a series; 0 if it does not exist. */
async function value(series: string): Promise<number> {
  const text = await (await fetch(`${gavel.admin}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.split(' ').at(-1));
}

const requestLines = (): string[] =>
  gavel
    .output()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'));

const requests = (outcome: string, mode = 'live') =>
  value(`exchange_request_duration_seconds_count{outcome="${outcome}",mode="${mode}"}`);

test('counts requests of all workers by outcome, and test traffic separately', async () => {
  await useGavel({ WORKERS: '2', LIMIT_IP: '8' });
  for (let i = 0; i < 4; i++) await post(gavel.endpoint, `203.0.113.${i}`);
  await send({ ...fullRequest, test: 1 });
  await send({ ...fullRequest, imp: [] });
  await send('{');
  await fetch(gavel.endpoint);
  const responses = await Promise.all(Array.from({ length: 20 }, () => post(gavel.endpoint, '203.0.113.99')));
  const refusals = responses.filter(({ status }) => status === 429).length;
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
  expect(bids).toBe(2 * (4 + 20 - refusals)); // two impressions per request; test auctions are not counted
});

test('no counter decreases when a worker exits or is restarted', async () => {
  await useGavel({ WORKERS: '2', LIMIT_IP: '1000000' });
  for (let i = 0; i < 40; i++) await post(gavel.endpoint, '203.0.113.7');
  expect(await requests('bid')).toBe(40);
  const cpuSeconds = await value('process_cpu_seconds_total');
  process.kill(childPids(gavel.process.pid)[0]!, 'SIGKILL');
  await until('the exit is counted', async () => (await value('exchange_worker_deaths_total')) === 1);
  expect(await value('process_cpu_seconds_total')).toBeGreaterThanOrEqual(cpuSeconds);
  await until('the worker is replaced', () => gavel.output().includes('worker replaced'));
  expect(await requests('bid')).toBe(40);
  gavel.process.kill('SIGHUP');
  await until('the rolling restart is over', () => gavel.output().includes('rolling restart completed'));
  await post(gavel.endpoint, '203.0.113.7');
  expect(await requests('bid')).toBe(41);
});

test('the request log has the outcome and no personal data', async () => {
  await useGavel({ WORKERS: '1', LOG_SAMPLE: '1' });
  const response = await send(fullRequest, { 'x-forwarded-for': '198.51.100.77' });
  await send({ ...fullRequest, tmax: 1 }, { 'x-forwarded-for': '198.51.100.77' });
  await until('both lines are logged', () => gavel.output().includes('"error":"number.min"'));
  const lines = requestLines().map((line) => JSON.parse(line) as object);
  for (const line of lines) expect(line).not.toHaveProperty('responseTime'); // durationMs is the only duration
  expect(lines).toMatchObject([
    { requestId: response.headers.get('x-request-id'), outcome: 'bid', publisher: 'pub-1', res: { statusCode: 200 } },
    {
      outcome: 'invalid',
      error: 'number.min',
      code: 'INVALID_FIELD_VALUE',
      field: 'tmax',
      reason: 'must be at least 100; got 1',
      publisher: 'pub-1',
      bidRequestId: 'request-1',
      siteDomain: 'rider.example',
      res: { statusCode: 400 },
    },
  ]);
  const { user, device } = fullRequest;
  for (const personal of ['198.51.100.77', '127.0.0.1', device.ip, user.id, user.ext.consent, device.ua]) {
    expect(JSON.stringify(lines)).not.toContain(personal);
  }
});

test('exports counters at zero from the start, and the metrics of the primary', async () => {
  await useGavel(oneWorker);
  const text = await (await fetch(`${gavel.admin}/metrics`)).text();
  for (const code of ['CONSENT_UNUSABLE']) expect(text).toContain(`exchange_warnings_total{code="${code}"} 0\n`);
  expect(text).toContain('exchange_errors_total{code="INTERNAL_ERROR"} 0\n');
  for (const name of ['cpu_seconds_total', 'resident_memory_bytes', 'event_loop_lag_max_seconds'])
    expect(text).toMatch(new RegExp(`^exchange_primary_${name} [\\d.e-]+$`, 'm'));
});

test('serves the SLO report', async () => {
  await useGavel(oneWorker);
  for (let i = 0; i < 20; i++) await post(gavel.endpoint, '203.0.113.7');
  expect(await (await fetch(`${gavel.admin}/slo`)).json()).toMatchObject({
    targets: { p50Ms: 50, p95Ms: 100, p99Ms: 200, rps: 10_000 },
    measured: { p50Ms: expect.any(Number), p99Ms: expect.any(Number), rps: expect.any(Number) },
    met: { rps: false },
  });
});

test('logs input that is not HTTP, with the request id of the response', async () => {
  await useGavel(oneWorker);
  const { headers } = await sendRawTo(Number(new URL(gavel.endpoint).port), 'garbage\r\n\r\n');
  await until('the line is logged', () => requestLines().length === 1);
  expect(JSON.parse(requestLines()[0]!)).toMatchObject({
    requestId: headers['x-request-id'],
    outcome: 'invalid',
    error: 'http.malformed',
  });
});

test('samples the log of successful responses, and caps the log of errors per second', async () => {
  await useGavel(oneWorker);
  for (let i = 0; i < 5; i++) await post(gavel.endpoint, '203.0.113.7');
  for (let i = 0; i < 60; i++) await send('{');
  await until('an error is logged', () => gavel.output().includes('body.notJson'));
  const lines = requestLines();
  expect(lines.some((line) => line.includes('"outcome":"bid"'))).toBe(false);
  expect(lines.length).toBeLessThan(60);
});
