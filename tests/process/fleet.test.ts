/** Supervision of real workers: restart after an exit, rolling restart, drain. */
import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { parseResponse } from '../support/send-raw.ts';
import { childPids, type Gavel, startGavel } from '../support/start-gavel.ts';
import { post, Traffic } from '../support/traffic.ts';
import { until } from '../support/until.ts';

const highLimits = { LIMIT_IP: '1000000', LIMIT_PUBLISHER: '1000000', LIMIT_GLOBAL: '1000000' };

let gavel: Gavel;
afterEach(async () => {
  if (gavel.process.exitCode === null) await gavel.end();
});

const workerPids = (): number[] => childPids(gavel.process.pid);

const status = async (path: string) => (await fetch(gavel.admin + path)).status;

test('the admin server reports health and readiness; a second exchange on the same port fails to start', async () => {
  gavel = await startGavel({ WORKERS: '1' });
  expect([await status('/healthz'), await status('/readyz'), await status('/unknown')]).toEqual([200, 200, 404]);
  expect([await status('///'), await status('/healthz?verbose=1')]).toEqual([404, 200]);

  const usedPort = new URL(gavel.endpoint).port;
  await expect(startGavel({ WORKERS: '2', PORT: usedPort })).rejects.toThrow(/EADDRINUSE/);
});

test('workers collect their young generation with one thread', async () => {
  gavel = await startGavel({ WORKERS: '1' });
  const [worker] = workerPids();
  expect(readFileSync(`/proc/${worker}/cmdline`, 'utf8').split('\0')).toContain('--no-parallel-scavenge');
});

test('restarts a worker that is killed under traffic while the other one serves; the buckets are kept', async () => {
  gavel = await startGavel({ WORKERS: '2', ...highLimits, LIMIT_IP: '100' });
  const traffic = new Traffic(gavel.endpoint, 8);
  await traffic.waitForResponses(100);
  const [killed] = workerPids();
  process.kill(killed!, 'SIGKILL');
  await until('the worker is replaced', () => gavel.output().includes('worker replaced'));
  await traffic.waitForResponses(100);
  await traffic.stop();
  expect(workerPids()).toHaveLength(2);
  expect(workerPids()).not.toContain(killed);
  expect(traffic.failures.length).toBeLessThanOrEqual(8); // the requests in flight on the killed worker
  expect(new Set(traffic.statuses)).toEqual(new Set([200]));

  // The token buckets survive the exit of a worker: there is no second burst.
  const startedAtMs = performance.now();
  const before = await admittedOf(200);
  process.kill(workerPids()[0]!, 'SIGKILL');
  await until('the primary notices', () => gavel.output().split('"worker exited"').length === 3);
  const admitted = before + (await admittedOf(200));
  const refilled = Math.ceil((performance.now() - startedAtMs) / 10);
  expect(admitted).toBeGreaterThanOrEqual(100);
  expect(admitted).toBeLessThanOrEqual(100 + refilled);
});

/** How many requests of one address are admitted. Those fail that the killed worker has. */
async function admittedOf(requests: number): Promise<number> {
  const all = await Promise.allSettled(Array.from({ length: requests }, () => post(gavel.endpoint, '203.0.113.7')));
  return all.filter((one) => one.status === 'fulfilled' && one.value.status === 200).length;
}

test('SIGHUP replaces every worker without a failed request', async () => {
  gavel = await startGavel({ WORKERS: '2', ...highLimits });
  const before = workerPids();
  const traffic = new Traffic(gavel.endpoint, 16);
  await traffic.waitForResponses(200);
  gavel.process.kill('SIGHUP');
  await until('the rolling restart is over', () => gavel.output().includes('rolling restart completed'));
  await traffic.waitForResponses(200);
  await traffic.stop();
  expect(workerPids().filter((pid) => before.includes(pid))).toEqual([]);
  expect(traffic.failures).toEqual([]);
  expect(new Set(traffic.statuses)).toEqual(new Set([200]));
});

test('restarts a new worker that exits during a rolling restart', async () => {
  gavel = await startGavel({ WORKERS: '2' });
  const before = workerPids();
  gavel.process.kill('SIGHUP');
  await until('the first new worker is forked', () => workerPids().some((pid) => !before.includes(pid)));
  await until('an old worker has exited', () => before.some((pid) => !workerPids().includes(pid)));
  process.kill(
    workerPids().find((pid) => !before.includes(pid))!,
    'SIGKILL',
  );
  await until('the rolling restart is over', () => gavel.output().includes('rolling restart completed'));
  await until('two workers run again', () => workerPids().length === 2);
  expect((await post(gavel.endpoint, '203.0.113.7')).status).toBe(200);
});

test('SIGTERM under traffic: requests on open connections get a response before the exit', async () => {
  gavel = await startGavel({ WORKERS: '2', ...highLimits });
  const traffic = new Traffic(gavel.endpoint, 8);
  await traffic.waitForResponses(100);
  const exited = gavel.end();
  await until('new connections are refused', () => traffic.failures.length > 0);
  await traffic.stop();
  expect(await exited).toBe(0);
  expect(traffic.failures.filter(({ reused }) => reused)).toEqual([]);
  expect(new Set(traffic.statuses)).toEqual(new Set([200]));
});

test('SIGTERM: not ready at once, new connections are refused, a request in flight gets its response', async () => {
  gavel = await startGavel({ WORKERS: '1', DRAIN_MS: '5000' });
  const { port } = new URL(gavel.endpoint);
  const socket = connect(Number(port), '127.0.0.1');
  const body = '{"id":"r1"}';
  const head = `POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(head + body.slice(0, 5));
  await post(gavel.endpoint, '203.0.113.7'); // the head above has been read by now
  const exited = gavel.end();
  await until('new connections are refused', () => isRefused(Number(port)));
  expect(await status('/readyz')).toBe(503); // readiness fails no later than new connections
  expect(await (await fetch(`${gavel.admin}/readyz`)).json()).toMatchObject({ ok: false, reason: 'draining' });
  socket.write(body.slice(5));
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  await once(socket, 'close');
  expect(parseResponse(received)).toMatchObject({ status: 400, headers: { connection: 'close' } });
  expect(await exited).toBe(0);
});

/** Sends no request: node:cluster may hold a connection that arrives just as the last listener closes. */
const isRefused = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });

test('a request that never completes does not delay the exit beyond DRAIN_MS', async () => {
  gavel = await startGavel({ WORKERS: '1', DRAIN_MS: '300' });
  const socket = connect(Number(new URL(gavel.endpoint).port), '127.0.0.1').on('error', () => {});
  socket.write(
    'POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n',
  );
  await once(socket, 'connect');
  expect(await gavel.end()).toBe(0);
});
