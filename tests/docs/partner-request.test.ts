/** The request that a partner receives, as docs/rules.md shows it: sent by an exchange to a partner that records it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

test('a partner receives the request shown; tmax depends on the time that is left', async () => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(expand(request.body));
  const { status } = await fetch(gavel.endpoint, { method: 'POST', headers, body });
  const [received] = partner.calls.map((call) => JSON.parse(call.body) as object);
  const shown = expand(expected.partnerRequest) as object;
  expect({ status, received }).toEqual({
    status: expected.status,
    received: { ...shown, tmax: expect.any(Number) },
  });
});
