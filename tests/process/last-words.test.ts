/** What a worker counted last, told at its end: all of it is said, and all of it is heard. */
import { afterEach, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fleet } from '../../src/fleet/fleet.ts';
import { startGavel, testDemandFile } from '../support/start-gavel.ts';
import { post } from '../support/traffic.ts';
import { until } from '../support/until.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

test('a worker that is seen to end before all it said was heard counts as gone only then', () => {
  const heard: string[] = [];
  const fleet = new Fleet({
    size: 1,
    drainMs: 0,
    logger: { info() {}, warn() {}, error() {} },
    startMessage: () => ({ kind: 'drain' }),
    answer: ({ kind }) => void heard.push(kind),
    onGone: (worker) => heard.push(`${worker} is gone`),
    onCrashLoop: () => {},
  });
  const worker = Object.assign(new EventEmitter(), { id: 7, isConnected: () => true }) as unknown as Worker;
  cluster.emit('exit', worker, 0, '');
  cluster.emit('message', worker, { kind: 'metrics!', snapshot: [] }, undefined);
  worker.emit('disconnect');
  expect(heard).toEqual(['metrics!', '7 is gone']);
  expect(fleet.alive).toBe(0);
});

/** So many that their metrics do not fit into what lies between two processes. */
function writeManyPartners(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gavel-partners-'));
  const file = join(folder, 'partners.json');
  const { partners } = JSON.parse(readFileSync(testDemandFile, 'utf8')) as { partners: object[] };
  const many = Array.from({ length: 20 }, (_, i) => ({ ...partners[0], name: `house-${i}` }));
  writeFileSync(file, JSON.stringify({ partners: many }));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  return file;
}

test('a worker that ends while the primary is busy waits until its last metrics are on their way', async () => {
  const gavel = await startGavel({ WORKERS: '1', DEMAND_FILE: writeManyPartners() });
  cleanUps.push(() => gavel.end('SIGKILL'));
  const worker = Number(execFileSync('ps', ['-o', 'pid=', '--ppid', String(gavel.process.pid)]).toString());
  for (let i = 0; i < 5; i++) await post(gavel.endpoint, '203.0.113.7');
  gavel.process.kill('SIGSTOP');
  process.kill(worker, 'SIGTERM');
  await sleep(1_500); // by now it has drained
  gavel.process.kill('SIGCONT');
  await until('it is replaced', () => gavel.output().includes('a worker was replaced'));
  const metrics = await (await fetch(`${gavel.admin}/metrics`)).text();
  expect(metrics).toContain('exchange_request_duration_seconds_count{outcome="bid",mode="live"} 5\n');
});
