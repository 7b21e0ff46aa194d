/** The variables of Redis: valid and invalid values, their combinations, and the settings they result in. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/config-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'gavel-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const certificate = join(folder, 'not-a-certificate.pem');
writeFileSync(certificate, 'certificate');

function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    readConfig(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe.each([
  [
    'REDIS_URL',
    [
      'redis://127.0.0.1:6379',
      'rediss://user:secret@cache.example/2',
      'redis://[::1]:6379',
      'redis+sentinel://a.example:26379,b.example/limits',
      'rediss+sentinel://user:secret@a.example:26379/limits/2',
    ],
    [
      'http://cache.example',
      'cache',
      'redis://a.example,b.example',
      'redis://cache.example:65536',
      'redis://cache.example/x',
      'redis://cache.example?family=6',
      'redis+sentinel://a.example:26379',
      'redis+sentinel://a.example:26379/limits/x',
    ],
  ],
  [
    'REDIS_CLUSTER',
    ['a.example:7000', 'rediss://user:secret@a.example:7000,[::1]:7001'],
    ['a.example:x', 'a,,b', 'a/1'],
  ],
])('%s', (name, valid, invalid) => {
  test.each(valid)('accepts %s', (value) => expect(problemsOf({ [name]: value })).toEqual([]));
  test.each(invalid)('rejects %s', (value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
  });
});

test.each<[string, Record<string, string>, RegExp[]]>([
  [
    'REDIS_URL and REDIS_CLUSTER',
    { REDIS_URL: 'redis://a', REDIS_CLUSTER: 'a:1' },
    [/^REDIS_URL and REDIS_CLUSTER are set; only one of/],
  ],
  ['sentinels without a master', { REDIS_SENTINELS: 'a:1' }, [/^REDIS_MASTER is not set/]],
  ['a master without sentinels', { REDIS_MASTER: 'limits' }, [/^REDIS_SENTINELS is not set/]],
  [
    'a sentinel password without sentinels',
    { REDIS_URL: 'redis://a', REDIS_SENTINEL_PASSWORD: 'x' },
    [/^REDIS_SENTINEL_PASSWORD is set/],
  ],
  [
    'a number of slots without a cluster',
    { REDIS_URL: 'redis://a', REDIS_ADDRESS_SLOTS: '32' },
    [/^REDIS_CLUSTER is not set; REDIS_ADDRESS_SLOTS is used only with it$/],
  ],
  [
    'a number of slots that is no power of two',
    { REDIS_CLUSTER: 'a:1', REDIS_ADDRESS_SLOTS: '3' },
    [/^REDIS_ADDRESS_SLOTS must be one of \[1, 2, 4, 8, 16, 32, 64, 128\]/],
  ],
  ['REDIS_REQUIRED without Redis', { REDIS_REQUIRED: '1' }, [/^REDIS_REQUIRED is 1, but none of/]],
  [
    'a CA file that does not exist',
    { REDIS_URL: 'rediss://a', REDIS_CA_FILE: join(folder, 'missing.pem') },
    [/^REDIS_CA_FILE must be a file .*ENOENT/],
  ],
  [
    'a CA file without a certificate and without TLS',
    { REDIS_URL: 'redis://a', REDIS_CA_FILE: certificate },
    [/^REDIS_CA_FILE is set, but no Redis address begins with rediss$/, /^REDIS_CA_FILE must be a file/],
  ],
])('%s is rejected', (_description, variables, expected) => {
  expect(problemsOf(variables)).toEqual(expected.map((problem) => expect.stringMatching(problem)));
});

test.each<[string, Record<string, string>, unknown]>([
  [
    'one server',
    { REDIS_URL: 'redis://:p%40ss@cache.example/2' },
    { topology: 'single', nodes: [{ host: 'cache.example', port: 6379 }], password: 'p@ss', database: 2 },
  ],
  [
    'sentinels',
    { REDIS_SENTINELS: 'user:secret@a.example, b.example:5000', REDIS_MASTER: 'limits' },
    {
      topology: 'sentinel',
      nodes: [
        { host: 'a.example', port: 26379 },
        { host: 'b.example', port: 5000 },
      ],
      master: 'limits',
      username: 'user',
      password: 'secret',
    },
  ],
  [
    'sentinels in a URL',
    { REDIS_URL: 'rediss+sentinel://[::1]:5000/limits/3', REDIS_SENTINEL_PASSWORD: 'x' },
    {
      topology: 'sentinel',
      nodes: [{ host: '::1', port: 5000 }],
      master: 'limits',
      database: 3,
      tls: {},
      sentinelPassword: 'x',
    },
  ],
  [
    'a cluster',
    { REDIS_CLUSTER: 'rediss://a.example:7000', REDIS_REQUIRED: '1' },
    { topology: 'cluster', nodes: [{ host: 'a.example', port: 7000 }], tls: {} },
  ],
  [
    'a cluster of many masters',
    { REDIS_CLUSTER: 'a.example:7000', REDIS_ADDRESS_SLOTS: '128' },
    { topology: 'cluster', nodes: [{ host: 'a.example', port: 7000 }], addressSlots: 128 },
  ],
])('%s', (_description, variables, expected) => {
  expect(readConfig(variables).redis).toEqual(expected);
});
