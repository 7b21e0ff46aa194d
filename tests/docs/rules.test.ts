/** The examples of docs/rules.md, sent to an exchange with the sandbox demand, the exchange rates and the publishers of `make run`. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { type Case, expand, readCases } from '../support/case-file.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';
import { shortenResponse } from './shorten-response.ts';

const projectFile = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const readDocument = (path: string): string => readFileSync(projectFile(path), 'utf8');

/** The budgets are longer than those of `make run`, so that only the partner that takes 4 s is late. */
const settings = {
  WORKERS: '1',
  DEMAND_FILE: '',
  RATES_FILE: projectFile('src/sandbox/rates.json').pathname,
  PUBLISHERS_FILE: projectFile('src/sandbox/publishers.json').pathname,
  TIMEOUT_MS: '5000',
  SOFT_TIMEOUT_MS: '2000',
};

let gavel: Gavel;
beforeAll(async () => {
  gavel = await startGavel(settings);
});
afterAll(() => gavel.end());

const folder = 'examples/rules/';
const examples = readCases().filter(({ name }) => name.startsWith(folder));
const byName = examples.map((one) => [one.name.slice(folder.length), one] as const);

test.each(byName)('%s gets the response shown', async (_name, { request, expected }) => {
  const response = await fetch(gavel.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(expand(request.body)),
  });
  const shown = expand(expected.body);
  const body = shortenResponse(await response.json(), JSON.stringify(shown).includes('"adm"'));
  expect({ status: response.status, body }).toEqual({ status: expected.status, body: shown });
});

test('the page shows every example once, and a heading above each', () => {
  const parts = readDocument('docs/rules.md').matchAll(/^### .+\n\n<!-- begin rule:(\S+) -->$/gm);
  expect([...parts].map(([, name]) => name!).toSorted()).toEqual(byName.map(([name]) => name));
});

/** Faults of a partner that no field of the request can cause. */
const partnerFaults = ['unknown_imp', 'invalid_price', 'no_adm'];

test('every reason to drop a bid in docs/auction.md has an example', () => {
  const verdicts = namesInTable(readDocument('docs/auction.md'), '| verdict ');
  const reasons = verdicts.filter((verdict) => !['won', 'lost', ...partnerFaults].includes(verdict));
  expect(reasons).toContain('insecure_markup');
  expect(reasons.filter((reason) => !shows(`"reason":"${reason}"`))).toEqual([]);
});

test('every warning in docs/integrating.md has an example', () => {
  const codes = namesInTable(readDocument('docs/integrating.md'), '| warning ');
  expect(codes).toContain('FLOOR_NOT_REACHED');
  expect(codes.filter((code) => !shows(`"code":"${code}"`))).toEqual([]);
});

const shows = (text: string): boolean =>
  examples.some(({ expected }: Case) => JSON.stringify(expected.body).includes(text));

/** The names in the first column of the table whose head starts so. */
function namesInTable(document: string, head: string): string[] {
  const [, rest] = document.split(`\n${head}`);
  const [table] = rest!.split('\n\n');
  return [...table!.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!);
}
