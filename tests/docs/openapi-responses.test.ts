/** The responses of the examples are described in docs/openapi.json; tests/cases.test.ts checks those of all other cases. */
import { describe, expect, test } from '@jest/globals';
import { expand, readCases } from '../support/case-file.ts';
import { expectDescribed, expectDescribedBody } from '../support/described-response.ts';

describe('the response to an example', () => {
  // The examples of rules show a part of the response.
  const examples = readCases().filter(
    ({ name, expected }) => /^examples\/[^/]+$/.test(name) && expected.body !== undefined,
  );

  test('there are examples', () => expect(examples.length).toBeGreaterThan(4));

  test.each(examples.map((one) => [one.name, one] as const))('%s', (_name, { expected }) => {
    expectDescribedBody(expected.status, complete(expand(expected.body)));
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

describe('a response that is not described is found', () => {
  const common = {
    'x-request-id': '8f6c3e5e-2a54-4c59-9d3c-0d1f5a2b7c11',
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '99',
    'x-ratelimit-reset': '1794749238',
  };
  const headers = { ...common, 'x-openrtb-version': '2.6' };
  const text = JSON.stringify({ id: 'r1', seatbid: [], cur: 'USD' });

  test('a described one is accepted', () => {
    expect(() => expectDescribed({ status: 200, headers, text })).not.toThrow();
  });

  test.each([
    ['an unknown status', { status: 202, headers, text }],
    ['an unknown header', { status: 200, headers: { ...headers, server: 'x' }, text }],
    ['a missing header', { status: 200, headers: common, text }],
    ['a header with a wrong value', { status: 200, headers: { ...headers, 'x-ratelimit-limit': '-1' }, text }],
    ['an unknown member', { status: 200, headers, text: '{"id":"r1","seatbid":[],"cur":"USD","bidid":"1"}' }],
    ['a missing member', { status: 200, headers, text: '{"id":"r1","seatbid":[]}' }],
    ['a body where none is described', { status: 204, headers: common, text }],
  ])('%s', (_name, response) => {
    expect(() => expectDescribed(response)).toThrow();
  });
});
