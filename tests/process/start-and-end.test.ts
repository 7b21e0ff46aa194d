/** The exchange as processes: a primary and its workers, from the first line to the last. */
import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { fullRequest } from '../support/full-request.ts';
import { spawnGavel, startGavel } from '../support/start-gavel.ts';

const post = (endpoint: string) =>
  fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fullRequest),
  });

test('it says in one line where it is, and answers there', async () => {
  const gavel = await startGavel({ WORKERS: '2' });
  expect(gavel.readyLine).toMatch(/^gavel ready endpoint=http:\/\/127\.0\.0\.1:\d+\/openrtb2 .*workers=2/);
  const answer = await post(gavel.endpoint);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ id: fullRequest.id, seatbid: [{ seat: 'house' }] });
  expect(await gavel.end()).toBe(0);
});

test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('%s ends it in order', async (signal) => {
  const gavel = await startGavel({ WORKERS: '1' });
  await (await post(gavel.endpoint)).text();
  expect(await gavel.end(signal)).toBe(0);
  await expect(post(gavel.endpoint)).rejects.toThrow();
});

describe('a configuration that cannot be used', () => {
  test('stops the start with every problem and exit code 78', async () => {
    const child = spawnGavel({ PORT: 'x', TRUST_PROXY: 'true', DEMAND_FILE: '/nowhere/partners.json' });
    let told = '';
    child.stderr!.on('data', (chunk: Buffer) => (told += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(78);
    expect(told).toMatch(/3 problem\(s\)[\s\S]*PORT[\s\S]*TRUST_PROXY[\s\S]*partners\.json/);
  });
});
