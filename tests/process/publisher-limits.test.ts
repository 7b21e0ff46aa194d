/** The limits of the publishers file, with real workers that share their buckets. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullRequest } from '../support/full-request.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';

const folder = mkdtempSync(join(tmpdir(), 'gavel-publisher-limits-'));
const key = 'key-of-pub-42';
const apiKeys = [`sha256:${createHash('sha256').update(key).digest('hex')}`];

const settings = {
  reservedShare: 0.5,
  publishers: [
    { id: 'pub-42', apiKeys },
    { id: 'limited', limit: 1 },
  ],
  addresses: [
    { range: '198.51.100.0/24', limit: 5 },
    { range: '198.51.100.7/32', exempt: true },
    { range: '192.0.2.0/24', exempt: true },
  ],
};

let gavel: Gavel;
beforeAll(async () => {
  const path = join(folder, 'publishers.json');
  writeFileSync(path, JSON.stringify(settings));
  gavel = await startGavel({
    WORKERS: '2',
    PUBLISHERS_FILE: path,
    LIMIT_IP: '2',
    LIMIT_PUBLISHER: '1000000',
    LIMIT_GLOBAL: '40',
  });
});
afterAll(async () => {
  await gavel.end();
  rmSync(folder, { recursive: true });
});

interface Result {
  status: number;
  limit: string | null;
  reason: string | undefined;
}

/** A new connection per request, so that both workers get some. */
async function send(address: string, publisher: string, authorization?: string): Promise<Result> {
  const response = await fetch(gavel.endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      connection: 'close',
      'x-forwarded-for': address,
      ...(authorization !== undefined && { authorization }),
    },
    body: JSON.stringify({ ...fullRequest, site: { publisher: { id: publisher } } }),
  });
  const text = await response.text();
  const { error } = (text === '' ? {} : JSON.parse(text)) as { error?: { details: { reason: string } } };
  return { status: response.status, limit: response.headers.get('x-ratelimit-limit'), reason: error?.details.reason };
}

/** Eight at a time: so few are no overload, however slow the machine is. */
async function sendMany(count: number, ...request: Parameters<typeof send>): Promise<Result[]> {
  const results: Result[] = [];
  let left = count;
  const client = async () => {
    while (left-- > 0) results.push(await send(...request));
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return results;
}

test('an address has the limit of its range, or none; the others keep the default', async () => {
  expect(await send('198.51.100.1', 'stranger')).toMatchObject({ status: 200, limit: '5' });
  expect(await send('203.0.113.1', 'stranger')).toMatchObject({ status: 200, limit: '2' });
  const exempt = await sendMany(10, '198.51.100.7', 'stranger');
  expect(new Set(exempt.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a publisher has its own limit', async () => {
  const results = await sendMany(20, '192.0.2.1', 'limited');
  const refused = results.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(refused.map(({ limit, reason }) => `${limit}: ${reason}`))).toEqual(
    new Set([
      '1: rate limit exceeded for this publisher (scope publisher); send further requests after the time in Retry-After',
    ]),
  );
});

test('strangers cannot use up the reserved share, with 401 or without', async () => {
  for (let round = 0; round < 2; round++) {
    const [strangers, impostors] = await Promise.all([
      sendMany(150, '192.0.2.2', 'stranger'),
      sendMany(150, '192.0.2.3', 'pub-42', 'Bearer wrong'),
    ]);
    const refused = [...strangers, ...impostors].filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.reason).toContain('scope global');
    expect(impostors.filter(({ status }) => status !== 401 && status !== 429)).toEqual([]);
    const own = await sendMany(5, '192.0.2.4', 'pub-42', `Bearer ${key}`);
    expect(own.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  }
});
