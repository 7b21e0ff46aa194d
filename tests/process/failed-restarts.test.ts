/** Workers that cannot be started, or that exit during a rolling restart: the others serve, and all run again in the end. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { childPids, type Gavel, preload, startGavel } from '../support/start-gavel.ts';
import { post } from '../support/traffic.ts';
import { until } from '../support/until.ts';

let gavel: Gavel;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  if (gavel.process.exitCode === null) await gavel.end();
});

const workerPids = (): number[] => childPids(gavel.process.pid);
const logged = (message: string) => until(message, () => gavel.output().includes(`"${message}`));
const replaced = () => gavel.output().split('"worker replaced"').length - 1;
const serves = async () => expect((await post(gavel.endpoint, '203.0.113.7')).status).toBe(200);

/** Descriptors that the primary may open beside those that it has. */
function allowDescriptors(more: number): void {
  const open = readdirSync(`/proc/${gavel.process.pid}/fd`).length;
  execFileSync('prlimit', [`--pid=${gavel.process.pid}`, `--nofile=${open + more}:`]);
}

test('without a descriptor for a new process, a rolling restart fails and the workers go on', async () => {
  gavel = await startGavel({ WORKERS: '2' });
  const before = workerPids();
  allowDescriptors(2);
  gavel.process.kill('SIGHUP');
  await logged('rolling restart failed');
  await serves();
  expect(workerPids()).toEqual(before);

  allowDescriptors(200);
  gavel.process.kill('SIGHUP');
  await logged('rolling restart completed');
  expect(workerPids()).toHaveLength(2);
});

test('a worker that cannot be replaced is replaced as soon as it can be', async () => {
  gavel = await startGavel({ WORKERS: '2' });
  allowDescriptors(0);
  process.kill(workerPids()[0]!, 'SIGKILL');
  await logged('cannot start a worker process');
  await serves();

  allowDescriptors(200);
  await logged('worker replaced');
  expect(workerPids()).toHaveLength(2);
});

test('if an old worker and its replacement exit during a rolling restart, there is a new one in their place', async () => {
  const slowReplacement = `
    import cluster from 'node:cluster';
    if (cluster.worker?.id === 3) await new Promise((resolve) => setTimeout(resolve, 600_000));`;
  gavel = await startGavel({ WORKERS: '2', ...preload(slowReplacement) });
  const before = workerPids();
  gavel.process.kill('SIGHUP');
  const isNew = (pid: number) => !before.includes(pid);
  await until('a new worker starts', () => workerPids().some(isNew));
  process.kill(before[0]!, 'SIGKILL');
  await logged('worker exited');
  await sleep(300); // longer than the delay of its replacement
  for (const pid of workerPids().filter(isNew)) process.kill(pid, 'SIGKILL');
  await logged('rolling restart failed');
  await until('a worker takes its place', () => replaced() > 0);
  expect(workerPids()).toHaveLength(2);
});

test('an old worker that exits while another one drains is replaced once', async () => {
  gavel = await startGavel({ WORKERS: '2', DRAIN_MS: '1500' });
  const before = workerPids();
  const port = Number(new URL(gavel.endpoint).port);
  const head = 'POST /openrtb2 HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{';
  sockets = Array.from({ length: 60 }, () => connect(port, '127.0.0.1').on('error', () => {})); // the one that drains first has some
  for (const socket of sockets) socket.write(head);
  gavel.process.kill('SIGHUP');
  await until('the first replacement is ready', async () =>
    (await (await fetch(`${gavel.admin}/metrics`)).text()).includes(
      'exchange_worker_replacements_total{reason="roll"} 1',
    ),
  );
  process.kill(before[1]!, 'SIGKILL');
  await logged('rolling restart completed');
  await sleep(3_000); // long enough for one too many to start
  expect(workerPids()).toHaveLength(2);
});
