/** A Redis behind sentinels where both require TLS and a password, each its own. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { createCertificate } from '../support/certificate.ts';
import { RedisLimiter } from '../support/redis-limiter.ts';
import { freePort, RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'gavel-sentinel-tls-'));
const { certificate, key } = createCertificate(folder, 'IP:127.0.0.1');
const servers: RedisServer[] = [];
let url: string;

beforeAll(async () => {
  const [port, sentinelPort] = [await freePort(), await freePort()];
  const tls = [
    ['port', '0'],
    ['tls-cert-file', certificate],
    ['tls-key-file', key],
    ['tls-ca-cert-file', certificate],
    ['tls-auth-clients', 'no'],
    ['tls-replication', 'yes'],
  ];
  const ofMaster = [['tls-port', String(port)], ...tls].flatMap(([name, value]) => [`--${name}`, value!]);
  servers.push(new RedisServer(port, [...ofMaster, '--requirepass', 's3cret']));
  const ofSentinel = [
    ...[['tls-port', String(sentinelPort)], ...tls].map((pair) => pair.join(' ')),
    `dir ${folder}`,
    'requirepass w4tch',
    `sentinel monitor limits 127.0.0.1 ${port} 1`,
    'sentinel auth-pass limits s3cret',
  ];
  const file = join(folder, 'sentinel.conf');
  writeFileSync(file, `${ofSentinel.join('\n')}\n`);
  servers.push(new RedisServer(sentinelPort, [], file));
  for (const server of servers) await server.start();
  url = `rediss+sentinel://:s3cret@127.0.0.1:${sentinelPort}/limits`;
});
afterAll(async () => {
  for (const server of servers) await server.kill();
  rmSync(folder, { recursive: true });
});

let limiter: RedisLimiter;
afterEach(() => limiter.close());

async function start(variables: Record<string, string>): Promise<void> {
  const { redis } = readConfig({ REDIS_URL: url, ...variables });
  limiter = await new RedisLimiter().start(redis!);
}

test('with the certificate authority and both passwords, limits are exact', async () => {
  await start({ REDIS_CA_FILE: certificate, REDIS_SENTINEL_PASSWORD: 'w4tch' });
  await limiter.expectExact('203.0.113.1');
  expect(limiter.modes).toEqual([]);
});

test.each<[string, Record<string, string>, RegExp]>([
  [
    'an unknown certificate authority',
    { REDIS_SENTINEL_PASSWORD: 'w4tch' },
    /Connection is closed\. \(does it use TLS, with the CA of REDIS_CA_FILE\?\)$/,
  ],
  ["no password of the sentinels'", { REDIS_CA_FILE: certificate }, /NOAUTH/],
  ["a wrong password of the sentinels'", { REDIS_CA_FILE: certificate, REDIS_SENTINEL_PASSWORD: 'x' }, /WRONGPASS/],
])('%s leaves the worker in degraded mode, with the reason', async (_fault, variables, reason) => {
  await start(variables);
  expect(limiter.modes).toEqual(['degraded']);
  await until('the reason is known', () => limiter.errors.some((error) => reason.test(error)));
});

test('a database that cannot be selected leaves the worker in degraded mode, with the reason', async () => {
  await start({ REDIS_URL: `${url}/99`, REDIS_CA_FILE: certificate, REDIS_SENTINEL_PASSWORD: 'w4tch' });
  expect(limiter.modes).toEqual(['degraded']);
  expect(limiter.errors).toEqual(['SELECT 99: ERR DB index is out of range']);
});
