/** Sends every case of tests/cases to the app over a socket. Every row of the error table must have a case, every response is described. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { errorTable } from '../src/http/http-errors.ts';
import { type Case, readCases } from './support/case-file.ts';
import { expectDescribed } from './support/described-response.ts';
import { expectErrorBody } from './support/error-body.ts';
import { expectMatch } from './support/match-body.ts';
import { runCase, startExchange } from './support/run-case.ts';

const shared = await startExchange();
afterAll(() => void shared.server.close());

const rowsSeen = new Set<string | undefined>();
/** The examples run against sandbox demand: tests/docs/examples.test.ts and rules.test.ts. */
const cases = readCases().filter(({ name }) => !name.startsWith('examples/'));
const byFolder = Map.groupBy(cases, ({ name }) => name.split('/')[0]!);

describe.each([...byFolder])('%s', (_folder, cases) => {
  test.each(cases.map((one) => [one.name.split('/')[1]!, one] as const))('%s', async (_name, one) => {
    await check(one);
    expect(shared.defects).toEqual([]);
  });
});

test.each(Object.keys(errorTable))('the row %s of the error table has a case', (row) => {
  expect([...rowsSeen]).toContain(row);
});

async function check(one: Case): Promise<void> {
  const { request, expected } = one;
  const { response, row } = await runCase(one, shared);
  const { status, headers, text } = response;
  rowsSeen.add(row);
  expect({ status, text }).toEqual({ status: expected.status, text });
  expect(headers).toMatchObject({ 'x-request-id': expect.any(String), ...expected.headers });
  expectLimitHeaders(headers);
  if (status === 503) expect(headers['retry-after']).toMatch(/^[123]$/);
  expectDescribed(response);
  if (status === 204 || request.method === 'HEAD') {
    expect(text).toBe('');
    return;
  }
  const body: unknown = JSON.parse(text);
  if (status >= 400) {
    expectErrorBody(body, headers['x-request-id']);
    const { error } = expected.body as { error: { details?: { field?: unknown } } };
    if (error.details?.field === undefined) expect(body.error.details.field).toBeUndefined();
  }
  if (expected.body !== undefined) expectMatch(body, expected.body);
}

function expectLimitHeaders(headers: Record<string, string>): void {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect({ [name]: headers[name] }).toEqual({ [name]: expect.stringMatching(/^\d+$/) });
  }
}
