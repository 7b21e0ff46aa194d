/** A worker whose event loop does not run is killed and replaced; a stalled primary kills none. With real processes. */
import { afterEach, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { childPids, type Gavel, startGavel } from '../support/start-gavel.ts';
import { post } from '../support/traffic.ts';
import { until } from '../support/until.ts';

let gavel: Gavel;
afterEach(async () => {
  if (gavel.process.exitCode === null) await gavel.end();
});

const workerPids = (): number[] => childPids(gavel.process.pid);

const readiness = async () => (await (await fetch(`${gavel.admin}/readyz`)).json()) as { ok: boolean; workers: number };

async function metric(series: string): Promise<number> {
  const text = await (await fetch(`${gavel.admin}/metrics`)).text();
  return Number(text.split('\n').find((line) => line.startsWith(`${series} `))?.split(' ').at(-1)); // prettier-ignore
}

const replacements = (reason: string) => metric(`exchange_worker_replacements_total{reason="${reason}"}`);

const logLine = (message: string) =>
  gavel
    .output()
    .split('\n')
    .filter((line) => line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('a stopped worker is marked, killed and replaced while the other one serves with the limits of both', async () => {
  const degraded = { REDIS_URL: 'redis://127.0.0.1:1' };
  gavel = await startGavel({ WORKERS: '2', LIMIT_IP: '10000', LIMIT_PUBLISHER: '10000', ...degraded });
  for (const reason of ['exit', 'heartbeat', 'roll']) expect(await replacements(reason)).toBe(0);
  const before = workerPids();
  const [stopped, other] = before;
  process.kill(stopped!, 'SIGSTOP');
  const responses = new Set<string>();
  const send = async () => {
    const { status, headers } = await post(gavel.endpoint, '203.0.113.7');
    return `${status}, limit ${headers['x-ratelimit-limit']?.toString()}`;
  };
  const isMarked = async () => {
    // Not awaited: at most one connection was handed to the stopped worker, and waits.
    void send().then((response) => responses.add(response), () => {}); // prettier-ignore
    return (await readiness()).workers === 1;
  };
  await until('readiness reports one worker', isMarked);
  expect(await readiness()).toMatchObject({ ok: true });
  expect(await metric('exchange_workers')).toBe(1);
  expect(await send()).toBe('200, limit 10000');
  await until('the worker is replaced', async () => (await readiness()).workers === 2);
  await until('both share the limits again', async () => (await send()) === '200, limit 5000');
  expect(workerPids()).not.toContain(stopped);
  expect(workerPids()).toContain(other);
  expect([...responses].filter((response) => !response.startsWith('200, '))).toEqual([]);
  expect(responses).toContain('200, limit 5000');

  expect([await replacements('heartbeat'), await replacements('exit')]).toEqual([1, 0]);
  expect(await metric('exchange_worker_deaths_total')).toBe(0);
  expect(logLine('worker unresponsive: killed')).toMatchObject([{ workerPid: stopped, silentMs: expect.any(Number) }]);
  expect(Number(logLine('worker unresponsive: killed')[0]!.silentMs)).toBeGreaterThanOrEqual(5_000);
});

test('workers are kept while the primary is stopped; its stall is logged and counted', async () => {
  gavel = await startGavel({ WORKERS: '2' });
  const before = workerPids();
  expect(await metric('exchange_primary_stall_seconds_total')).not.toBeNaN();
  gavel.process.kill('SIGSTOP');
  await sleep(6_500);
  gavel.process.kill('SIGCONT');
  await until('the stall is counted', async () => (await metric('exchange_primary_stall_seconds_total')) > 5);
  await sleep(1_500); // three checks
  expect(workerPids()).toEqual(before);
  expect(await replacements('heartbeat')).toBe(0);
  expect(logLine('primary stalled: its event loop was stopped or blocked').length).toBeGreaterThan(0);
});

test('a rolling restart is counted per worker', async () => {
  gavel = await startGavel({ WORKERS: '2' });
  gavel.process.kill('SIGHUP');
  await until('the rolling restart is over', () => gavel.output().includes('rolling restart completed'));
  expect([await replacements('roll'), await replacements('exit')]).toEqual([2, 0]);
});
