/** A worker that has no file descriptor left says so: what counts descriptors needs one, too. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { childPids, type Gavel, startGavel } from '../support/start-gavel.ts';
import { until } from '../support/until.ts';

let gavel: Gavel | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  if (gavel?.process.exitCode === null) await gavel.end();
  gavel = undefined;
});

async function readMetric(name: string): Promise<number> {
  const text = await (await fetch(`${gavel!.admin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

test('the metric reaches the limit, and the log has a line', async () => {
  gavel = await startGavel({ WORKERS: '1' });
  const [worker] = childPids(gavel.process.pid);
  const open = readdirSync(`/proc/${worker}/fd`).length;
  expect(await readMetric('process_open_fds')).toBeLessThan(open + 10);
  execFileSync('prlimit', [`--pid=${worker}`, `--nofile=${open + 10}`]);
  const port = Number(new URL(gavel.endpoint).port);
  for (let i = 0; i < 50; i++) sockets.push(connect(port, '127.0.0.1').on('error', () => {}));
  const max = await readMetric('process_max_fds');
  await until('the metric has reached the limit', async () => (await readMetric('process_open_fds')) === max);
  await until('the log says so', () => gavel!.output().includes('no file descriptor is left'));

  for (const socket of sockets) socket.destroy();
  await until('the metric has recovered', async () => (await readMetric('process_open_fds')) < open + 10);
});
