/** The publishers file of a running exchange: it protects ids, and SIGHUP replaces it without a failed request. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullRequest } from '../support/full-request.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';
import { Traffic } from '../support/traffic.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'gavel-publishers-'));
const path = join(folder, 'publishers.json');
const hashed = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`;
const write = (...keys: string[]) =>
  writeFileSync(path, JSON.stringify({ publishers: [{ id: 'pub-42', apiKeys: keys.map(hashed) }] }));

const firstKey = 'first-key-5Kq0';
const secondKey = 'second-key-9Zt3';

let gavel: Gavel;
beforeAll(async () => {
  write(firstKey);
  gavel = await startGavel({
    WORKERS: '2',
    PUBLISHERS_FILE: path,
    LOG_SAMPLE: '1',
    LOG_LEVEL: 'trace',
    LIMIT_IP: '1000000',
    LIMIT_PUBLISHER: '1000000',
    LIMIT_GLOBAL: '1000000',
  });
});
afterAll(async () => {
  await gavel.end();
  rmSync(folder, { recursive: true });
});

/** A new connection per request, so that both workers get some. */
async function send(key?: string, id = 'pub-42'): Promise<number> {
  const { status } = await fetch(gavel.endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      connection: 'close',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ ...fullRequest, site: { publisher: { id } } }),
  });
  return status;
}

const statuses = async (key?: string) =>
  new Set(await Promise.all(Array.from({ length: 8 }, () => send(key)))) as ReadonlySet<number>;

const unauthorizedCount = async (): Promise<number> => {
  const text = await (await fetch(`${gavel.admin}/metrics`)).text();
  return Number(/^exchange_errors_total\{code="UNAUTHORIZED"\} (\d+)$/m.exec(text)?.[1]);
};

test('an id is accepted with its key only; the others are counted, and no key is logged', async () => {
  expect(await unauthorizedCount()).toBe(0);
  expect(await send(firstKey)).toBe(200);
  expect(await send()).toBe(401);
  expect(await send(secondKey)).toBe(401);
  expect(await send(undefined, 'pub-43')).toBe(200);
  expect(await unauthorizedCount()).toBe(2);
  await until('the log has both', () => gavel.output().split('"code":"UNAUTHORIZED"').length === 3);
  expect(gavel.output()).toMatch(/"error":"publisher\.wrongKey".*"publisher":"pub-42"/);
  expect(gavel.output()).not.toContain(firstKey);
  expect(gavel.output()).not.toContain(secondKey);
});

test('SIGHUP replaces the file without a failed request; an invalid file changes nothing', async () => {
  const traffic = new Traffic(gavel.endpoint, 4);
  write(firstKey, secondKey);
  await reload('rolling restart completed');
  expect([...(await statuses(firstKey)), ...(await statuses(secondKey))]).toEqual([200, 200]);

  write(secondKey);
  await reload('rolling restart completed');
  expect([...(await statuses(firstKey)), ...(await statuses(secondKey))]).toEqual([401, 200]);

  writeFileSync(path, '{"publishers":[{"id":"pub-42","apiKeys":["first-key-5Kq0"]}],"reservedShare":1}');
  await reload('configuration reload failed; keeping the current configuration');
  expect(gavel.output()).toContain('publishers[0].apiKeys[0] must be sha256: followed by');
  expect(gavel.output()).toContain('reservedShare must be less than 1');
  expect(gavel.output()).not.toContain(firstKey);
  expect([...(await statuses(firstKey)), ...(await statuses(secondKey))]).toEqual([401, 200]);
  await traffic.stop();
  expect(traffic.failures).toEqual([]);
  expect(new Set(traffic.statuses)).toEqual(new Set([200]));
});

/** Sends SIGHUP and waits for one more of this line. */
async function reload(line: string): Promise<void> {
  const before = gavel.output().split(line).length;
  gavel.process.kill('SIGHUP');
  await until(line, () => gavel.output().split(line).length > before);
}

test('a bad file stops the start with code 78 and the reason', async () => {
  await expect(startGavel({ PUBLISHERS_FILE: join(folder, 'missing.json') })).rejects.toThrow(
    /PUBLISHERS_FILE.*ENOENT/,
  );
});
