/** The log of a running exchange: what operators and partner managers must find there. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { fullRequest } from '../support/full-request.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'gavel-log-'));
let gavel: Gavel | undefined;
afterEach(async () => {
  await gavel?.end();
  rmSync(folder, { recursive: true, force: true });
});

const lines = () =>
  gavel!
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('an ignored price filter is logged with its partner and parameter, at most once per interval', async () => {
  const partners = [{ name: 'shop', adapter: 'product-search', endpoint: 'http://127.0.0.1:9' }];
  const demandFile = join(folder, 'partners.json');
  writeFileSync(demandFile, JSON.stringify({ partners }));
  gavel = await startGavel({ WORKERS: '1', LOG_SAMPLE: '0', DEMAND_FILE: demandFile });
  const [imp] = fullRequest.imp;
  const filter = { min_price: -1, max_price: 20, price_currency: 'EUR' };
  const body = JSON.stringify({ ...fullRequest, imp: [{ ...imp, ext: { service_product_search: filter } }] });
  for (let i = 0; i < 3; i++) {
    const response = await fetch(gavel.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(204);
  }
  const ignored = () => lines().filter(({ msg }) => msg === 'invalid parameter ignored');
  await until('the line is logged', () => ignored().length > 0);
  expect(ignored()).toMatchObject([{ level: 40, partner: 'shop', param: 'min_price', suppressed: 0 }]);
});

test('a warning is logged with the request, its publisher and the code, without personal data', async () => {
  gavel = await startGavel({ WORKERS: '1', LOG_SAMPLE: '0' });
  const request = {
    ...fullRequest,
    id: 'warned',
    regs: { gdpr: 1 },
    user: { id: 'user-7', consent: 'secret-consent' },
  };
  const send = () =>
    fetch(gavel!.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...request, site: { domain: 'news.example', publisher: { id: 'p'.repeat(100) } } }),
    });
  const response = await send();
  await send();
  const warned = () => lines().filter(({ msg }) => msg === 'request accepted with a warning');
  await until('the line is logged', () => warned().length > 0);
  expect(warned()).toMatchObject([
    {
      level: 40,
      requestId: response.headers.get('x-request-id'),
      mode: 'live',
      code: 'CONSENT_UNUSABLE',
      field: 'user.consent',
      reason: expect.stringContaining('not a valid TCF 2 string'),
      publisher: 'p'.repeat(64),
      bidRequestId: 'warned',
      siteDomain: 'news.example',
      suppressed: 0,
    },
  ]);
  expect(JSON.stringify(warned())).not.toMatch(/user-7|secret-consent/);
});
