/** The rates file of a running exchange: all workers use a change within 5 s, and a bad file stops only the start. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { titleRequest } from '../support/auction-exchange.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'gavel-rates-'));
const path = join(folder, 'rates.json');
const write = (euro: unknown) =>
  writeFileSync(path, JSON.stringify({ dataAsOf: '2026-01-31', conversions: { USD: { EUR: euro } } }));

/** A busy machine does not change who bids in time, and a fast one is not rate limited while it waits for the workers. */
const patient = {
  TIMEOUT_MS: '5000',
  SOFT_TIMEOUT_MS: '5000',
  LIMIT_IP: '100000',
  LIMIT_PUBLISHER: '100000',
  LIMIT_GLOBAL: '100000',
};

let gavel: Gavel;
beforeAll(async () => {
  write(0.92);
  gavel = await startGavel({ WORKERS: '2', DEMAND_FILE: '', RATES_FILE: path, SANDBOX_NO_BID_SHARE: '0', ...patient });
});
afterAll(async () => {
  await gavel.end();
  rmSync(folder, { recursive: true });
});

interface Sale {
  cur: string;
  seatbid: { seat: string; bid: { price: number }[] }[];
}

/** A new connection per request, so that both workers get some. */
async function sell(): Promise<Sale> {
  const response = await fetch(gavel.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(titleRequest({ id: 'request-10' }, { bidfloor: 0.5, bidfloorcur: 'EUR' })), // gamma bids 3.97 euros
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Sale;
}

/** On a busy machine, gamma may exceed its own timeout: then another seat wins, and the request is sent again. */
async function priceInDollars(): Promise<number> {
  let sale = await sell();
  await until('gamma has bid in time', async () => {
    if (sale.seatbid[0]?.seat === 'gamma') return true;
    sale = await sell();
    return false;
  });
  expect(sale.cur).toBe('USD');
  return sale.seatbid[0]!.bid[0]!.price;
}

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${gavel.admin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
};

test('a change reaches every worker; a bad file is counted and keeps the last valid rates', async () => {
  const before = await priceInDollars();
  expect(await metric('exchange_rates_errors_total')).toBe(0);
  expect(await metric('exchange_rates_age_seconds')).toBeGreaterThan(0);

  write(0.46);
  await until('all workers use the new rates', async () => {
    const prices = await Promise.all(Array.from({ length: 8 }, priceInDollars));
    return prices.every((price) => Math.abs(price - 2 * before) < 1e-5);
  });

  write('many');
  await until('the error is counted', async () => (await metric('exchange_rates_errors_total')) === 1);
  expect(await priceInDollars()).toBeCloseTo(2 * before, 5);
  expect(gavel.output()).toContain('conversions.USD.EUR must be a number');
});

test('a bad file stops the start with code 78 and the reason', async () => {
  await expect(startGavel({ RATES_FILE: join(folder, 'missing.json') })).rejects.toThrow(/78|ENOENT/);
});
