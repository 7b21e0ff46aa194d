/** A worker that has warmed up has left no trace: no metric, no log line, no auction log entry, no token of a caller. */
import { afterAll, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gavel, startGavel } from '../support/start-gavel.ts';
import { post } from '../support/traffic.ts';

const folder = mkdtempSync(join(tmpdir(), 'gavel-warm-up-'));
const auctionLog = join(folder, 'auctions.jsonl');
let gavel: Gavel | undefined;
afterAll(async () => {
  await gavel?.end();
  rmSync(folder, { recursive: true });
});

test('the warm-up leaves no trace', async () => {
  const log = { LOG_LEVEL: 'debug', LOG_SAMPLE: '1', AUCTION_LOG: auctionLog };
  gavel = await startGavel({ WORKERS: '1', LIMIT_IP: '1', LIMIT_PUBLISHER: '1', ...log });
  const metrics = await (await fetch(`${gavel.admin}/metrics`)).text();
  const ofRequests =
    /^exchange_(request|stage|errors|shed|warnings|limit_decisions|limit_store|partner_duration|bids)\w*/;
  const series = metrics.split('\n').filter((line) => ofRequests.test(line));
  expect(series.length).toBeGreaterThan(0);
  expect(series.filter((line) => !line.endsWith(' 0'))).toEqual([]);
  expect(metrics).not.toMatch(/partner="remote"/);
  expect(gavel.output().trim()).toBe(gavel.readyLine);
  expect(existsSync(auctionLog) ? readFileSync(auctionLog, 'utf8') : '').toBe('');
  expect((await post(gavel.endpoint, '192.0.2.1')).status).toBe(200); // the address of the synthetic requests has its token
});
