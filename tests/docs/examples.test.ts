/** The examples of README.md and docs/integrating.md, sent to an exchange with the sandbox demand of `make run`. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { isObject } from '../../src/json/guards.ts';
import { type Case, readCases, expand } from '../support/case-file.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';

/** The budgets are longer than those of `make run`, so that a busy machine does not change who bids in time. */
const settings = { WORKERS: '1', DEMAND_FILE: '', TIMEOUT_MS: '5000', SOFT_TIMEOUT_MS: '5000' };

let gavel: Gavel;
beforeAll(async () => {
  gavel = await startGavel(settings);
});
afterAll(() => gavel.end());

const readDocument = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

async function send(body: string): Promise<{ status: number; headers: Record<string, string>; body: unknown }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(gavel.endpoint, { method: 'POST', headers, body });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: text === '' ? undefined : JSON.parse(text),
  };
}

describe.each(['README.md', 'docs/integrating.md'])('%s', (document) => {
  const curl = /```sh\ncurl -i \S+ .*?-d '(?<request>.*?)'\n```\n+```\n(?<response>HTTP.*?)\n```/s;

  test('its curl command gets the response below it', async () => {
    const { request, response } = curl.exec(readDocument(document))!.groups!;
    const { status, headers, body } = await send(request!);
    const [head, shownBody] = response!.split('\n\n') as [string, string];
    const [statusLine, ...headerLines] = head.split('\n');
    expect(statusLine).toBe(`HTTP/1.1 ${status} OK`);
    expect(body).toEqual(JSON.parse(shownBody));
    const shown = Object.fromEntries(headerLines.map(readHeader));
    expect(Object.keys(headers).toSorted()).toEqual(Object.keys(shown).toSorted());
    for (const varying of ['x-request-id', 'x-ratelimit-reset', 'date']) shown[varying] = headers[varying]!;
    expect(headers).toEqual(shown);
  });
});

test('README.md has at most 150 lines', () => {
  expect(readDocument('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

function readHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
}

describe('docs/integrating.md', () => {
  const examples = readCases().filter(({ name }) => /^examples\/[^/]+$/.test(name));
  const document = readDocument('docs/integrating.md');

  test.each(examples.map((one) => [one.name, one] as const))('%s gets the response shown', async (_name, one) => {
    const { status, headers, body } = await send(JSON.stringify(expand(one.request.body)));
    expect({ status, body }).toEqual({ status: one.expected.status, body: expectedBody(one) });
    expect(headers).toMatchObject(one.expected.headers ?? {});
  });

  test('another partner wins example 3 without its intent', async () => {
    const { request } = find(examples, 'examples/level-3-with-context-signals');
    const body = expand(request.body) as { ext: { service: { intent?: unknown } } };
    delete body.ext.service.intent;
    const { seatbid } = (await send(JSON.stringify(body))).body as { seatbid: { seat: string }[] };
    expect(seatbid.map(({ seat }) => seat)).toEqual(['alpha']);
  });

  test('the test report shown is that of the example in test mode', () => {
    const { ext } = expectedBody(find(examples, 'examples/test-mode')) as { ext: { service: unknown } };
    expect(blockWith(document, '"integrationLevel"')).toEqual(ext.service);
  });

  test('the error body shown is that of the example with an error', () => {
    const name = 'examples/bidfloor-as-a-string-is-rejected-with-the-whole-error-body';
    expect(blockWith(document, '"error"')).toEqual(expectedBody(find(examples, name)));
  });
});

const find = (cases: readonly Case[], wanted: string): Case => cases.find(({ name }) => name === wanted)!;

/** Every member exactly, except the values that the case gives as `{"$any": type}`. */
const expectedBody = ({ expected }: Case): unknown => toMatchers(expand(expected.body));

function toMatchers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toMatchers);
  if (!isObject(value)) return value;
  if ('$any' in value) return expect.any(value.$any === 'number' ? Number : String);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toMatchers(member)]));
}

/** The first JSON block of the document that starts with this member. */
function blockWith(document: string, member: string): unknown {
  const blocks = [...document.matchAll(/```json\n(.*?)\n```/gs)].map(([, block]) => block!);
  return JSON.parse(blocks.find((block) => block.split('\n').slice(0, 5).join('').includes(member))!);
}
