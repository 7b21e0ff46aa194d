/** Rate limits shared by real processes: the workers of one machine, and of two. */
import { afterEach, expect, test } from '@jest/globals';
import { Agent } from 'node:http';
import { startRedis } from '../support/redis-server.ts';
import { SentinelTopology } from '../support/redis-topologies.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';
import { post, Traffic } from '../support/traffic.ts';
import { until } from '../support/until.ts';

const running: { end(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.end();
});

async function startMachine(variables: Record<string, string>): Promise<Gavel> {
  const started = await startGavel(variables);
  running.unshift(started);
  return started;
}

async function startTestRedis() {
  const server = await startRedis();
  running.push({
    end: async () => {
      server.signal('SIGCONT');
      await server.kill();
    },
  });
  return server;
}

/** Sends concurrent requests from one IP address; returns how many were admitted and the maximum allowed. */
async function burst(endpoints: string[], requests: number, limit: number) {
  const startedAt = performance.now();
  const agent = new Agent({ maxSockets: 8 }); // so few at a time are no overload, however slow the machine is
  const responses = await Promise.all(
    Array.from({ length: requests }, (_, i) => post(endpoints[i % endpoints.length]!, '203.0.113.7', agent)),
  );
  const maxAdmitted = limit + Math.ceil((limit * (performance.now() - startedAt)) / 1000);
  return { responses, admitted: responses.filter(({ status }) => status === 200).length, maxAdmitted };
}

const highLimits = { LIMIT_IP: '1000000', LIMIT_PUBLISHER: '1000000', LIMIT_GLOBAL: '1000000' };

test('embedded: the workers of a machine share one set of buckets', async () => {
  const { endpoint, readyLine } = await startMachine({ WORKERS: '3', LIMIT_IP: '60' });
  expect(readyLine).toMatch(/limits=embedded/);
  const { responses, admitted, maxAdmitted } = await burst([endpoint], 200, 60);
  expect(admitted).toBeGreaterThanOrEqual(60);
  expect(admitted).toBeLessThanOrEqual(maxAdmitted);
  for (const { status, headers } of responses) {
    expect([200, 429]).toContain(status);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '60' });
    if (status === 429) expect(headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-remaining': '0' });
  }
});

test('two machines share one set of buckets in Redis; without Redis, each worker applies its share', async () => {
  const server = await startTestRedis();
  const variables = { WORKERS: '2', LIMIT_IP: '40', REDIS_URL: server.url };
  const machines = await Promise.all([startMachine(variables), startMachine(variables)]);
  const endpoints = machines.map(({ endpoint }) => endpoint);
  const { admitted, maxAdmitted } = await burst(endpoints, 200, 40);
  expect(admitted).toBeGreaterThanOrEqual(40);
  expect(admitted).toBeLessThanOrEqual(maxAdmitted);

  await until('the machines know the total number of workers', () =>
    machines.every(({ output }) => output().includes('"workers":4')),
  );
  await server.kill();
  const { responses } = await burst(endpoints, 8, 40);
  expect(responses.map(({ headers }) => headers['x-ratelimit-limit'])).toContain('10');
  expect(responses.every(({ status }) => status === 200 || status === 429)).toBe(true);
});

test('Redis killed, then paused under traffic: no request fails, workers switch to degraded mode and back', async () => {
  const server = await startTestRedis();
  const { endpoint, admin, output } = await startMachine({ WORKERS: '2', REDIS_URL: server.url, ...highLimits });
  const traffic = new Traffic(endpoint, 8);
  const faults = [
    { start: () => server.kill(), end: () => server.start() },
    { start: async () => server.signal('SIGSTOP'), end: async () => server.signal('SIGCONT') },
  ];
  for (const fault of faults) {
    await traffic.waitForResponses(200);
    await fault.start();
    await until('both workers are degraded', () => areBoth(output(), 'degraded'));
    await traffic.waitForResponses(200);
    expect((await fetch(`${admin}/readyz`)).status).toBe(200);
    await fault.end();
    await until('both workers use Redis again', () => areBoth(output(), 'redis'));
    await traffic.waitForResponses(200);
  }
  await traffic.stop();
  expect(traffic.failures).toEqual([]);
  expect(new Set(traffic.statuses)).toEqual(new Set([200]));
  const degraded = output().split('\n').filter((line) => line.includes('"mode":"degraded"')); // prettier-ignore
  expect(degraded.filter((line) => !line.includes('"cause":"') || /stack|writeable|max retries/.test(line))).toEqual(
    [],
  );
});

test('serves when started without Redis, and switches to Redis once it is available', async () => {
  const server = await startTestRedis();
  await server.kill();
  const { endpoint, output } = await startMachine({ WORKERS: '1', REDIS_URL: server.url });
  expect((await post(endpoint, '203.0.113.7')).status).toBe(200);
  await server.start();
  await until('the worker uses Redis', () => output().includes('"mode":"redis"'));
  expect((await post(endpoint, '203.0.113.8')).headers).toMatchObject({ 'x-ratelimit-limit': '100' });
});

test('a Redis master behind sentinels is killed under traffic: no request fails, and workers use its successor', async () => {
  const topology = await new SentinelTopology().start();
  running.push(topology);
  const { endpoint, output } = await startMachine({ WORKERS: '2', REDIS_URL: topology.url, ...highLimits });
  const traffic = new Traffic(endpoint, 8);
  await traffic.waitForResponses(100);
  await (await topology.master()).kill();
  // A worker without traffic may notice nothing before the successor is there.
  await until('a worker is degraded', () => latestModes(output()).includes('degraded'));
  await until('it uses Redis again', () => latestModes(output()).every((mode) => mode === 'redis'));
  await traffic.waitForResponses(100);
  await traffic.stop();
  expect(traffic.failures).toEqual([]);
  expect(new Set(traffic.statuses)).toEqual(new Set([200]));
});

test('a machine that has not reached Redis takes its part by INSTANCES, and is not ready if Redis is required', async () => {
  const server = await startTestRedis();
  await server.kill();
  const { endpoint, admin } = await startMachine({
    WORKERS: '2',
    LIMIT_IP: '120',
    REDIS_URL: server.url,
    REDIS_REQUIRED: '1',
    INSTANCES: '3',
  });
  const status = async () => (await fetch(`${admin}/readyz`)).status;
  const ready = async () => /^exchange_ready (\d)$/m.exec(await (await fetch(`${admin}/metrics`)).text())?.[1];
  expect(await status()).toBe(503);
  expect(await (await fetch(`${admin}/readyz`)).json()).toEqual({ ok: false, workers: 2, reason: 'redis' });
  const { status: bidStatus, headers } = await post(endpoint, '203.0.113.7');
  expect([bidStatus, headers['x-ratelimit-limit']]).toEqual([200, '20']);
  expect(await ready()).toBe('0');
  await server.start();
  await until('the machine is ready', async () => (await status()) === 200);
  await until('its metric says so', async () => (await ready()) === '1');
  expect((await post(endpoint, '203.0.113.8')).headers).toMatchObject({ 'x-ratelimit-limit': '120' });
  await server.kill();
  await until('the machine is not ready', async () => (await status()) === 503);
});

/** By the latest change of each: on a slow machine a worker may be degraded once more. */
function areBoth(output: string, mode: string): boolean {
  const modes = latestModes(output);
  return modes.length === 2 && modes.every((latest) => latest === mode);
}

/** Of the workers that have changed their mode. */
function latestModes(output: string): string[] {
  const changes = output.matchAll(/"pid":(\d+).*"mode":"(\w+)".*"rate limit mode changed"/g);
  return [...new Map(Array.from(changes, ([, pid, latest]) => [pid, latest!])).values()];
}
