/** A Redis Cluster that requires TLS, a user and a password; its nodes require TLS and a password of each other, too. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { createCertificate } from '../support/certificate.ts';
import { RedisLimiter } from '../support/redis-limiter.ts';
import { ClusterTopology } from '../support/redis-topologies.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'gavel-cluster-tls-'));
const { certificate, key } = createCertificate(folder, 'IP:127.0.0.1');
/** All that docs/limits.md lists, besides `CLUSTER SLOTS`. */
const commands = '+evalsha +eval +time +hmget +hset +hdel +hgetall +pexpire +pexpireat +unlink'.split(' ');
const nodePassword = 'r3plica';

function directives(port: number): string[] {
  const tls = ['--port', '0', '--tls-port', String(port), '--tls-cluster', 'yes', '--tls-replication', 'yes'];
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
  const auth = ['--tls-auth-clients', 'no', '--requirepass', nodePassword, '--masterauth', nodePassword];
  const user = ['--user', 'gavel', 'on', '>s3cret', '~gavel:*', ...commands, '+cluster|slots'];
  return [...tls, ...files, ...auth, ...user];
}

let topology: ClusterTopology;
beforeAll(async () => {
  const access = { password: nodePassword, tls: { ca: readFileSync(certificate) } };
  topology = await new ClusterTopology(directives, access).start();
});
afterAll(async () => {
  await topology.end();
  rmSync(folder, { recursive: true });
});

let limiter: RedisLimiter;
afterEach(() => limiter.close());

async function start(scheme: string, password: string, variables: Record<string, string> = {}): Promise<void> {
  const { redis } = readConfig({ REDIS_CLUSTER: `${scheme}://gavel:${password}@${topology.hosts}`, ...variables });
  limiter = await new RedisLimiter().start(redis!);
}

test('with the certificate authority in REDIS_CA_FILE and the password, limits are exact on every master', async () => {
  await start('rediss', 's3cret', { REDIS_CA_FILE: certificate });
  for (const last of [1, 2, 3, 4, 5, 6]) await limiter.expectExact(`203.0.113.${last}`);
  expect(limiter.modes).toEqual([]);
});

test.each<[string, string, string, Record<string, string>, RegExp]>([
  ['an unknown certificate authority', 'rediss', 's3cret', {}, /self-signed certificate/],
  ['no TLS', 'redis', 's3cret', {}, /ECONNRESET/],
  ['a wrong password', 'rediss', 'guess', { REDIS_CA_FILE: certificate }, /WRONGPASS/],
])('%s leaves the worker in degraded mode, with the reason', async (_fault, scheme, password, variables, reason) => {
  await start(scheme, password, variables);
  expect(limiter.modes).toEqual(['degraded']);
  await until('the reason is known', () => limiter.errors.some((error) => reason.test(error)));
});
