/** The last metrics of a worker that exits: the worker sends all of them before it exits. */
import { afterEach, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childPids, preload, startGavel, testDemandFile } from '../support/start-gavel.ts';
import { post } from '../support/traffic.ts';
import { until } from '../support/until.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gavel-metrics-'));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Enough partners that the metrics exceed the buffer of the IPC channel. */
function writeManyPartners(folder: string): string {
  const file = join(folder, 'partners.json');
  const { partners } = JSON.parse(readFileSync(testDemandFile, 'utf8')) as { partners: object[] };
  const many = Array.from({ length: 20 }, (_, i) => ({ ...partners[0], name: `house-${i}` }));
  writeFileSync(file, JSON.stringify({ partners: many }));
  return file;
}

/** A worker that got SIGTERM creates the file when it starts to send its metrics. */
const createsWhenSending = (file: string) => `
  import cluster from 'node:cluster';
  import { writeFileSync } from 'node:fs';
  if (cluster.isWorker)
    process.once('SIGTERM', () => {
      const send = process.send.bind(process);
      process.send = (message, ...args) => {
        const isSent = send(message, ...args);
        if (message.kind === 'metrics-response') writeFileSync(${JSON.stringify(file)}, '');
        return isSent;
      };
    });`;

test('a worker that exits while the primary is blocked waits until its last metrics are sent', async () => {
  const folder = createFolder();
  const sending = join(folder, 'sending');
  const gavel = await startGavel({
    WORKERS: '1',
    DEMAND_FILE: writeManyPartners(folder),
    ...preload(createsWhenSending(sending)),
  });
  cleanUps.push(() => gavel.end('SIGKILL'));
  const [worker] = childPids(gavel.process.pid);
  for (let i = 0; i < 5; i++) await post(gavel.endpoint, '203.0.113.7');
  gavel.process.kill('SIGSTOP');
  process.kill(worker!, 'SIGTERM');
  await until('the worker has drained', () => existsSync(sending));
  gavel.process.kill('SIGCONT');
  await until('the worker is replaced', () => gavel.output().includes('worker replaced'));
  const metrics = await (await fetch(`${gavel.admin}/metrics`)).text();
  expect(metrics).toContain('exchange_request_duration_seconds_count{outcome="bid",mode="live"} 5\n');
});
