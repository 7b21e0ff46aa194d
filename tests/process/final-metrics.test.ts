/** The last metrics of a worker that exits: the worker sends all of them before it exits. */
import { afterEach, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childPids, startGavel, testDemandFile } from '../support/start-gavel.ts';
import { post } from '../support/traffic.ts';
import { until } from '../support/until.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** Enough partners that the metrics exceed the buffer of the IPC channel. */
function writeManyPartners(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gavel-partners-'));
  const file = join(folder, 'partners.json');
  const { partners } = JSON.parse(readFileSync(testDemandFile, 'utf8')) as { partners: object[] };
  const many = Array.from({ length: 20 }, (_, i) => ({ ...partners[0], name: `house-${i}` }));
  writeFileSync(file, JSON.stringify({ partners: many }));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  return file;
}

test('a worker that exits while the primary is blocked waits until its last metrics are sent', async () => {
  const gavel = await startGavel({ WORKERS: '1', DEMAND_FILE: writeManyPartners() });
  cleanUps.push(() => gavel.end('SIGKILL'));
  const [worker] = childPids(gavel.process.pid);
  for (let i = 0; i < 5; i++) await post(gavel.endpoint, '203.0.113.7');
  gavel.process.kill('SIGSTOP');
  process.kill(worker!, 'SIGTERM');
  await sleep(1_500); // the worker has drained by now
  gavel.process.kill('SIGCONT');
  await until('the worker is replaced', () => gavel.output().includes('worker replaced'));
  const metrics = await (await fetch(`${gavel.admin}/metrics`)).text();
  expect(metrics).toContain('exchange_request_duration_seconds_count{outcome="bid",mode="live"} 5\n');
});
