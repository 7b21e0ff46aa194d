/** The schema of a bid request accepts what the exchange accepts, except for the rules that are listed as beyond it. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type RuleBeyondSchema, rulesBeyondSchema } from '../../docs/generate/openapi/custom-rules.ts';
import { notJson, parseJson, tooComplex, tooDeep } from '../../src/json/parse-json.ts';
import { validateBidRequest } from '../../src/openrtb/validate-bid-request.ts';
import { ApiSchemas, readApi } from '../support/api-schemas.ts';
import { readCases } from '../support/case-file.ts';
import { fullRequest } from '../support/full-request.ts';
import { mutated } from '../support/mutate.ts';
import { numRuns } from '../support/num-runs.ts';
import { encodeBody } from '../support/send-case.ts';

const { components } = readApi();
const isBidRequest = new ApiSchemas(components).compile({ $ref: '#/components/schemas/BidRequest' });

interface Rejection {
  row: string;
  reason: string;
}

const maxBytes = 256 * 1024;

/** What the exchange finds wrong with a body that is JSON. */
function rejectionOf(text: string): Rejection | undefined {
  if (Buffer.byteLength(text) > maxBytes) return { row: 'http.tooLarge', reason: '' };
  const body = parseJson(text);
  if (body === tooDeep) return { row: 'body.tooDeep', reason: '' };
  if (body === tooComplex) return { row: 'body.tooComplex', reason: '' };
  const result = validateBidRequest(body);
  return result.valid ? undefined : { row: result.error.name, reason: result.error.reason };
}

/** The listed rules that explain why the exchange rejects a body that the schema accepts. */
function rulesFor({ row, reason }: Rejection, text: string): string[] {
  const explains = (rule: RuleBeyondSchema) =>
    rule.row === row && (rule.reason?.test(reason) ?? true) && (rule.bodies?.test(text) ?? true);
  return Object.entries(rulesBeyondSchema).flatMap(([name, rule]) => (explains(rule) ? [name] : []));
}

const bodies = readCases().flatMap(({ name, request, expected }) => {
  const bytes = request.rawHttp === undefined ? encodeBody({ ...request, gzip: false }) : undefined;
  const text = bytes?.toString();
  return text === undefined || parseJson(text) === notJson ? [] : [{ name, text, status: expected.status }];
});

const explained = new Set<string>();

/** Fails unless schema and exchange agree, or a listed rule explains the difference. */
function expectAgreement(text: string): Rejection | undefined {
  const accepted = isBidRequest(JSON.parse(withoutByteOrderMark(text)));
  const rejection = rejectionOf(text);
  if (accepted && rejection) {
    const rules = rulesFor(rejection, text);
    expect({ rejection, rules }).toEqual({ rejection, rules: [expect.any(String)] });
    explained.add(rules[0]!);
  } else {
    expect({ accepted, rejection, errors: accepted ? null : isBidRequest.errors }).toMatchObject({
      accepted: rejection === undefined,
    });
  }
  return rejection;
}

const withoutByteOrderMark = (text: string): string => text.replace(/^\ufeff/, '');

describe('the body of a case is accepted by the schema if and only if the exchange accepts it', () => {
  test('there are cases', () => expect(bodies.length).toBeGreaterThan(500));

  test.each(bodies.map((one) => [one.name, one] as const))('%s', (_name, { text, status }) => {
    const rejection = expectAgreement(text);
    if (status === 200 || status === 204) expect(rejection).toBeUndefined();
  });

  test.each(Object.keys(rulesBeyondSchema))(
    '%s is beyond the schema: a case breaks it that the schema accepts',
    (rule) => {
      expect([...explained]).toContain(rule);
    },
  );
});

test('a mutated request is accepted by the schema if and only if the exchange accepts it', () => {
  fc.assert(
    fc.property(mutated(fullRequest), (body) => void expectAgreement(JSON.stringify(body))),
    { numRuns: numRuns(1_000) },
  );
});

test('the schema rejects a request without impressions, and accepts one with a title', () => {
  const native = { request: '{"assets":[{"id":1,"title":{"len":90}}]}' };
  expect(isBidRequest({ id: 'r1', imp: [{ id: '1', native }] })).toBe(true);
  expect(isBidRequest({ id: 'r1', imp: [] })).toBe(false);
});

test('the schema accepts every floor of 2 decimals', () => {
  const native = { request: '{"assets":[{"id":1,"title":{"len":90}}]}' };
  const floors = Array.from({ length: 1_001 }, (_, cents) => cents / 100);
  const rejected = floors.filter((bidfloor) => !isBidRequest({ id: 'r1', imp: [{ id: '1', native, bidfloor }] }));
  expect(rejected).toEqual([]);
});
