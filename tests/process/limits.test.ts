/** The limits across real processes: workers of one machine, and of several. */
import { afterEach, expect, test } from '@jest/globals';
import { startRedis } from '../support/redis-server.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';
import { post, Traffic } from '../support/traffic.ts';
import { until } from '../support/until.ts';

const running: { end(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.end();
});

async function gavel(variables: Record<string, string>): Promise<Gavel> {
  const started = await startGavel(variables);
  running.unshift(started);
  return started;
}

async function redis() {
  const server = await startRedis();
  running.push({
    end: async () => {
      server.signal('SIGCONT');
      await server.kill();
    },
  });
  return server;
}

/** So many requests at once from one address; how many were admitted, and how many may have been. */
async function burst(endpoints: string[], requests: number, limit: number) {
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: requests }, (_, i) => post(endpoints[i % endpoints.length]!, '203.0.113.7')),
  );
  const most = limit + Math.ceil((limit * (performance.now() - startedAt)) / 1000);
  return { answers, admitted: answers.filter(({ status }) => status === 200).length, most };
}

const plenty = { LIMIT_IP: '1000000', LIMIT_PUBLISHER: '1000000', LIMIT_GLOBAL: '1000000' };

test('embedded: the workers of a machine draw from one set of buckets', async () => {
  const { endpoint, readyLine } = await gavel({ WORKERS: '3', LIMIT_IP: '60' });
  expect(readyLine).toMatch(/limits=embedded/);
  const { answers, admitted, most } = await burst([endpoint], 200, 60);
  expect(admitted).toBeGreaterThanOrEqual(60);
  expect(admitted).toBeLessThanOrEqual(most);
  for (const { status, headers } of answers) {
    expect([200, 429]).toContain(status);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '60' });
    if (status === 429) expect(headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-remaining': '0' });
  }
});

test('Redis: the workers of two machines draw from one set of buckets', async () => {
  const { url } = await redis();
  const machines = await Promise.all([
    gavel({ WORKERS: '2', LIMIT_IP: '60', REDIS_URL: url }),
    gavel({ WORKERS: '2', LIMIT_IP: '60', REDIS_URL: url }),
  ]);
  const { admitted, most } = await burst(
    machines.map(({ endpoint }) => endpoint),
    200,
    60,
  );
  expect(admitted).toBeGreaterThanOrEqual(60);
  expect(admitted).toBeLessThanOrEqual(most);
});

test.each<['killed' | 'stopped']>([['killed'], ['stopped']])(
  'Redis %s in mid-traffic: no request fails, and the limits go over to shares and back',
  async (how) => {
    const server = await redis();
    const { endpoint, admin, output } = await gavel({ WORKERS: '2', REDIS_URL: server.url, ...plenty });
    const traffic = new Traffic(endpoint, 8);
    await traffic.more(200);

    if (how === 'killed') await server.kill();
    else server.signal('SIGSTOP');
    await until('both workers keep to their shares', () => count(output(), '"mode":"degraded"') === 2);
    await traffic.more(200);
    expect((await fetch(`${admin}/readyz`)).status).toBe(200);

    if (how === 'killed') await server.start();
    else server.signal('SIGCONT');
    await until('both workers are back', () => count(output(), '"mode":"redis"') === 2);
    await traffic.more(200);
    await traffic.stop();
    expect(traffic.failures).toEqual([]);
    expect(new Set(traffic.statuses)).toEqual(new Set([200]));
    expect(count(output(), '"msg":"limits mode"')).toBe(4);
  },
);

test('while Redis is away two machines keep to their shares of the limit together', async () => {
  const server = await redis();
  const variables = { WORKERS: '2', LIMIT_IP: '40', REDIS_URL: server.url };
  const machines = await Promise.all([gavel(variables), gavel(variables)]);
  await until('the machines know of each other', () =>
    machines.every(({ output }) => output().includes('"workers":4')),
  );
  await server.kill();
  const { answers } = await burst(
    machines.map(({ endpoint }) => endpoint),
    8,
    40,
  );
  const limits = answers.map(({ headers }) => headers['x-ratelimit-limit']);
  expect(limits).toContain('10');
  expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
});

test('started without Redis it serves, and goes over to Redis once there is one', async () => {
  const server = await redis();
  await server.kill();
  const { endpoint, output } = await gavel({ WORKERS: '1', REDIS_URL: server.url });
  expect((await post(endpoint, '203.0.113.7')).status).toBe(200);
  await server.start();
  await until('the worker goes over', () => output().includes('"mode":"redis"'));
  expect((await post(endpoint, '203.0.113.8')).headers).toMatchObject({ 'x-ratelimit-limit': '100' });
});

const count = (text: string, part: string) => text.split(part).length - 1;
