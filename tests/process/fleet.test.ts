/** Workers that die, are rolled and are drained, under traffic. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { RestartBackoff } from '../../src/fleet/restart-backoff.ts';
import { parseAnswer } from '../support/send-raw.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';
import { type Answer, post, Traffic } from '../support/traffic.ts';
import { until } from '../support/until.ts';

const plenty = { LIMIT_IP: '1000000', LIMIT_PUBLISHER: '1000000', LIMIT_GLOBAL: '1000000' };

let gavel: Gavel;
afterEach(async () => {
  if (gavel.process.exitCode === null) await gavel.end();
});

const workersOf = ({ process: { pid } }: Gavel): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)])
    .toString()
    .trim()
    .split(/\s+/)
    .map(Number);

const status = async (path: string) => (await fetch(gavel.admin + path)).status;

test('the admin server tells that it is alive and ready', async () => {
  gavel = await startGavel({ WORKERS: '1' });
  expect([await status('/healthz'), await status('/readyz'), await status('/nowhere')]).toEqual([200, 200, 404]);
  expect([await status('///'), await status('/healthz?verbose=1')]).toEqual([404, 200]);
});

test('a worker that is killed in mid-traffic is replaced, and the others serve on', async () => {
  gavel = await startGavel({ WORKERS: '2', ...plenty });
  const traffic = new Traffic(gavel.endpoint, 8);
  await traffic.more(100);
  const [victim] = workersOf(gavel);
  process.kill(victim!, 'SIGKILL');
  await until('it is replaced', () => gavel.output().includes('a worker was replaced'));
  await traffic.more(100);
  await traffic.stop();
  expect(workersOf(gavel)).toHaveLength(2);
  expect(workersOf(gavel)).not.toContain(victim);
  expect(traffic.failures.length).toBeLessThanOrEqual(8); // what was under way on the one that died
  expect(new Set(traffic.statuses)).toEqual(new Set([200]));
});

test('the buckets outlive the worker that charged them', async () => {
  gavel = await startGavel({ WORKERS: '2', ...plenty, LIMIT_IP: '10000' });
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 400 }, () => post(gavel.endpoint, '203.0.113.7')));
  process.kill(workersOf(gavel)[0]!, 'SIGKILL');
  let headers: Answer['headers'] = {};
  await until('the other worker answers', async () => {
    const answer = await post(gavel.endpoint, '203.0.113.7').catch(() => undefined);
    headers = answer?.headers ?? {};
    return answer !== undefined;
  });
  const refilled = Math.ceil((performance.now() - startedAt) * 10);
  expect(Number(headers['x-ratelimit-remaining'])).toBeLessThanOrEqual(Math.min(9_999, 10_000 - 401 + refilled));
});

test('SIGHUP replaces every worker without a failed request', async () => {
  gavel = await startGavel({ WORKERS: '2', ...plenty });
  const before = workersOf(gavel);
  const traffic = new Traffic(gavel.endpoint, 16);
  await traffic.more(200);
  gavel.process.kill('SIGHUP');
  await until('all are new', () => gavel.output().includes('all workers are new'));
  await traffic.more(200);
  await traffic.stop();
  expect(workersOf(gavel).filter((pid) => before.includes(pid))).toEqual([]);
  expect(traffic.failures).toEqual([]);
  expect(new Set(traffic.statuses)).toEqual(new Set([200]));
});

test('a new worker that dies in the middle of a roll is replaced', async () => {
  gavel = await startGavel({ WORKERS: '2' });
  const before = workersOf(gavel);
  gavel.process.kill('SIGHUP');
  await until('the first new one serves', () => workersOf(gavel).some((pid) => !before.includes(pid)));
  await until('an old one is gone', () => before.some((pid) => !workersOf(gavel).includes(pid)));
  process.kill(
    workersOf(gavel).find((pid) => !before.includes(pid))!,
    'SIGKILL',
  );
  await until('the roll is over', () => gavel.output().includes('all workers are new'));
  await until('there are two again', () => workersOf(gavel).length === 2);
  expect((await post(gavel.endpoint, '203.0.113.7')).status).toBe(200);
});

test('SIGTERM under traffic: what was sent on open connections is answered, then it ends', async () => {
  gavel = await startGavel({ WORKERS: '2', ...plenty });
  const traffic = new Traffic(gavel.endpoint, 8);
  await traffic.more(100);
  const ended = gavel.end();
  await until('new connections are refused', () => traffic.failures.length > 0);
  await traffic.stop();
  expect(await ended).toBe(0);
  expect(traffic.failures.filter(({ reused }) => reused)).toEqual([]);
  expect(new Set(traffic.statuses)).toEqual(new Set([200]));
});

test('SIGTERM: not ready at once, a request under way is answered, new connections are refused', async () => {
  gavel = await startGavel({ WORKERS: '1', DRAIN_MS: '5000' });
  const { port } = new URL(gavel.endpoint);
  const socket = connect(Number(port), '127.0.0.1');
  const body = '{"id":"r1"}';
  const head = `POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(head + body.slice(0, 5));
  await post(gavel.endpoint, '203.0.113.7'); // by now the head above has been read too
  const ended = gavel.end();
  await until('new connections are refused', () => isRefused(Number(port)));
  expect(await status('/readyz')).toBe(503); // never later than that
  socket.write(body.slice(5));
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  await once(socket, 'close');
  expect(parseAnswer(received)).toMatchObject({ status: 400, headers: { connection: 'close' } });
  expect(await ended).toBe(0);
});

/** Nothing is asked: node:cluster may hold a connection that arrives just when the last listener closes. */
const isRefused = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });

test('a request that never ends does not hold up the end beyond DRAIN_MS', async () => {
  gavel = await startGavel({ WORKERS: '1', DRAIN_MS: '300' });
  const socket = connect(Number(new URL(gavel.endpoint).port), '127.0.0.1').on('error', () => {});
  socket.write(
    'POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n',
  );
  await once(socket, 'connect');
  expect(await gavel.end()).toBe(0);
});

test('a port that is taken stops the start', async () => {
  gavel = await startGavel({ WORKERS: '1' });
  const taken = new URL(gavel.endpoint).port;
  await expect(startGavel({ WORKERS: '2', PORT: taken })).rejects.toThrow(/EADDRINUSE/);
});

describe('workers that keep dying young', () => {
  test('are replaced after longer and longer, and in the end no more', () => {
    const loop = new RestartBackoff();
    const delays = Array.from({ length: 11 }, () => loop.delayAfter(50, 0));
    expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000, undefined]);
  });

  test('one that lived long enough is replaced at once', () => {
    expect(new RestartBackoff().delayAfter(5_000, 0)).toBe(0);
  });

  test('deaths of a minute ago are forgotten', () => {
    const loop = new RestartBackoff();
    for (let i = 0; i < 10; i++) loop.delayAfter(50, 0);
    expect(loop.delayAfter(50, 60_000)).toBe(100);
  });
});
