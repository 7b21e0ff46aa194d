/** Connections to a Redis that requires TLS, a user and a password. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config/config.ts';
import { connectToRedis } from '../../src/limits/redis-connection.ts';
import { BreakingProxy } from '../support/breaking-proxy.ts';
import { createCertificate } from '../support/certificate.ts';
import { RedisLimiter } from '../support/redis-limiter.ts';
import { freePort, RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'gavel-tls-'));
const { certificate, key } = createCertificate(folder, 'IP:127.0.0.1');

let server: RedisServer;
beforeAll(async () => {
  const port = await freePort();
  const tls = ['--tls-port', String(port), '--tls-cert-file', certificate, '--tls-key-file', key];
  const user = ['--user', 'gavel', 'on', '>s3cret', '~*', '+@all', '--user', 'default', 'off'];
  server = new RedisServer(port, ['--port', '0', ...tls, '--tls-auth-clients', 'no', ...user]);
  await server.start();
});
afterAll(async () => {
  await server.kill();
  rmSync(folder, { recursive: true });
});

let limiter: RedisLimiter;
afterEach(() => limiter.close());

async function start(
  scheme: string,
  password: string,
  variables: Record<string, string> = {},
  port = server.port,
): Promise<void> {
  const url = `${scheme}://gavel:${password}@127.0.0.1:${port}`;
  const { redis } = readConfig({ REDIS_URL: url, ...variables });
  limiter = await new RedisLimiter().start(redis!);
}

test('with the certificate authority in REDIS_CA_FILE and the password, limits are exact', async () => {
  await start('rediss', 's3cret', { REDIS_CA_FILE: certificate });
  await limiter.expectExact('203.0.113.1');
  expect(limiter.modes).toEqual([]);
});

test.each<[string, string, string, Record<string, string>, RegExp]>([
  ['an unknown certificate authority', 'rediss', 's3cret', {}, /self-signed certificate/],
  ['a wrong password', 'rediss', 'guess', { REDIS_CA_FILE: certificate }, /WRONGPASS/],
])('%s leaves the worker in degraded mode, with the reason', async (_fault, scheme, password, variables, reason) => {
  await start(scheme, password, variables);
  expect(limiter.modes).toEqual(['degraded']);
  expect(limiter.errors.join('\n')).toMatch(reason);
});

test('connections that fail twice, by a broken record and a reset, are replaced', async () => {
  const proxy = new BreakingProxy(server.port);
  await start('rediss', 's3cret', { REDIS_CA_FILE: certificate }, await proxy.start());
  limiter.startTraffic();
  for (let time = 1; time <= 10; time++) {
    await until('it is connected', () => proxy.connections > 0);
    await proxy.breakAll();
    await limiter.waitForDecisions(1);
    await until('Redis is used again', () => limiter.modes.at(-1) !== 'degraded');
  }
  await limiter.stopTraffic();
  proxy.stop();
});

test('a connection that is closed in the midst of its handshake ends nothing else', async () => {
  const connectToUntrusted = () => {
    const { redis } = readConfig({ REDIS_URL: `rediss://127.0.0.1:${server.port}` });
    return connectToRedis(redis!, () => {});
  };
  for (let attempt = 0; attempt < 100; attempt++) {
    const redis = connectToUntrusted();
    await sleep(attempt % 10);
    redis.disconnect();
    await until('it is closed', () => redis.status === 'end' || redis.status === 'reconnecting');
  }
  await start('rediss', 's3cret', { REDIS_CA_FILE: certificate });
  expect(limiter.modes).toEqual([]);
});
