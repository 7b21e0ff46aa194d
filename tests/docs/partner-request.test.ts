/** The request that a partner receives and the response it may send, as docs/rules.md and docs/for-demand-partners.md show them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expand, readCases } from '../support/case-file.ts';
import { type ScriptedPartner, startPartner } from '../support/scripted-partner.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';

const { request, expected } = readCases().find(
  ({ name }) => name === 'examples/partner-request/what-a-partner-receives',
)!;

const folder = mkdtempSync(join(tmpdir(), 'partner-request-'));
let partner: ScriptedPartner;
let gavel: Gavel;

beforeAll(async () => {
  partner = await startPartner((response) => void response.writeHead(204).end());
  const demandFile = join(folder, 'partners.json');
  const entry = { name: 'recorder', adapter: 'openrtb', endpoint: partner.url };
  writeFileSync(demandFile, JSON.stringify({ partners: [entry] }));
  gavel = await startGavel({
    WORKERS: '1',
    DEMAND_FILE: demandFile,
    RATES_FILE: new URL('../../src/sandbox/rates.json', import.meta.url).pathname,
    EXCHANGE_DOMAIN: 'exchange.example',
  });
});
afterAll(async () => {
  await gavel.end();
  partner.close();
  rmSync(folder, { recursive: true });
});

const headers = { 'content-type': 'application/json' };
const body = JSON.stringify(expand(request.body));

test('a partner receives the request shown; tmax depends on the time that is left', async () => {
  const { status } = await fetch(gavel.endpoint, { method: 'POST', headers, body });
  const [received] = partner.calls.map((call) => JSON.parse(call.body) as object);
  const shown = expand(expected.partnerRequest) as object;
  expect({ status, received }).toEqual({
    status: expected.status,
    received: { ...shown, tmax: expect.any(Number) },
  });
});

describe('docs/for-demand-partners.md', () => {
  const document = readFileSync(new URL('../../docs/for-demand-partners.md', import.meta.url), 'utf8');

  test('a call has the headers shown', () => {
    const lines = /```\nPOST \S+ HTTP\/1\.1\n(.*?)\n```/s.exec(document)![1]!.split('\n');
    const shown = lines.map((line) => line.split(': ') as [string, string]);
    const varying = { host: expect.any(String), 'content-length': expect.any(String) };
    expect(partner.calls[0]!.headers).toEqual({ ...Object.fromEntries(shown), ...varying });
  });

  test('the response shown wins, with its price in the currency of the caller', async () => {
    const blocks = [...document.matchAll(/```json\n(.*?)\n```/gs)].map(([, block]) => block!);
    const example = blocks.find((block) => block.includes('"seatbid"'))!;
    partner.play((response) => void response.writeHead(200, headers).end(example));
    const response = await fetch(gavel.endpoint, { method: 'POST', headers, body });
    const { seatbid } = JSON.parse(example) as { seatbid: { seat: string; bid: object[] }[] };
    const [{ seat, bid }] = seatbid as [(typeof seatbid)[number]];
    expect(await response.json()).toMatchObject({
      cur: 'EUR',
      seatbid: [
        {
          seat: 'recorder',
          bid: [{ ...bid[0], adm: expect.any(String), price: 2.3, ext: { service: { buyerSeat: seat } } }],
        },
      ],
    });
  });
});
