/** The README's request gets the README's answer. */
import { afterAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { startGavel } from '../support/start-gavel.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const gavel = await startGavel({ WORKERS: '1', DEMAND_FILE: '' });
afterAll(() => gavel.end());

test('its curl gets a bid whose adm fills the requested assets', async () => {
  const body = /curl -i \S+ -H 'Content-Type: application\/json' -d '([\s\S]*?)'\n/.exec(readme)![1]!;
  const answer = await fetch(gavel.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '99',
    'x-openrtb-version': '2.6',
  });
  const { id, seatbid } = (await answer.json()) as { id: string; seatbid: { bid: { adm: string; price: number }[] }[] };
  expect(id).toBe('first-request');
  const { assets, link } = (JSON.parse(seatbid[0]!.bid[0]!.adm) as { native: { assets: unknown[]; link: unknown } })
    .native;
  expect(assets).toEqual([
    { id: 1, title: { text: expect.any(String) } },
    { id: 2, img: { url: expect.any(String), w: expect.any(Number), h: expect.any(Number) } },
    { id: 3, data: { value: expect.any(String) } },
  ]);
  expect(link).toEqual({ url: expect.any(String) });
});
