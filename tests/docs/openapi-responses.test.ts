/** Every response to a case is described: its status, its headers and each member of its body. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { ApiSchemas, closed, readApi } from '../support/api-schemas.ts';
import { expand, readCases } from '../support/case-file.ts';
import { runCase, startExchange } from '../support/run-case.ts';

const api = readApi();
const { responses } = api.paths['/openrtb2']!.post;
const schemas = new ApiSchemas(closed(api.components) as object);
const validators = Object.fromEntries(
  Object.entries(responses).map(([status, { content }]) => {
    const schema = content?.['application/json']?.schema;
    return [status, schema && schemas.compile(schema)];
  }),
);

/** Headers of HTTP itself. OpenAPI describes Content-Type with the body. */
const httpHeaders = new Set([
  'content-type',
  'content-length',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
]);

const describedHeaders = (status: number): string[] => Object.keys(responses[status]?.headers ?? {});

function expectDescribed(status: number, body: unknown): void {
  expect(Object.keys(responses)).toContain(String(status));
  const validate = validators[status];
  if (body === undefined) return;
  expect({ hasBody: validate !== undefined }).toEqual({ hasBody: true });
  validate!(body);
  expect(validate!.errors ?? []).toEqual([]);
}

const shared = await startExchange();
afterAll(() => void shared.server.close());

const cases = readCases();

describe('the response to a case', () => {
  // The examples run against sandbox demand.
  const run = cases.filter(({ name }) => !name.startsWith('examples/'));

  test.each(run.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const { status, headers, text } = (await runCase(one, shared)).response;
    expectDescribed(status, text === '' ? undefined : JSON.parse(text));
    const sent = Object.keys(headers).filter((name) => !httpHeaders.has(name));
    const described = describedHeaders(status).map((name) => name.toLowerCase());
    expect(sent.toSorted()).toEqual(described.toSorted());
  });
});

describe('the response to an example', () => {
  // The examples of rules show a part of the response.
  const examples = cases.filter(({ name, expected }) => /^examples\/[^/]+$/.test(name) && expected.status === 200);

  test('there are examples', () => expect(examples.length).toBeGreaterThan(3));

  test.each(examples.map((one) => [one.name, one] as const))('%s', (_name, { expected }) => {
    expect(describedHeaders(expected.status).map((name) => name.toLowerCase())).toEqual(
      expect.arrayContaining(Object.keys(expected.headers ?? {})),
    );
    expectDescribed(expected.status, complete(expand(expected.body)));
  });
});

/** Fills in the values that vary. */
function complete(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (_key, value: unknown) => {
    const any = (value as { $any?: string } | null)?.$any;
    if (any === undefined) return value;
    return any === 'number' ? 1 : 'text';
  });
}

describe('an undescribed response', () => {
  test('with an unknown member or a missing one is found', () => {
    const validate = validators[200]!;
    expect(validate({ id: 'r1', seatbid: [], cur: 'USD' })).toBe(true);
    expect(validate({ id: 'r1', seatbid: [], cur: 'USD', bidid: '1' })).toBe(false);
    expect(validate({ id: 'r1', seatbid: [] })).toBe(false);
  });
});
