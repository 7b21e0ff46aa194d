/** The playground reads whatever the bidding endpoint sends. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readResult } from '../../src/console/logic/read-result.ts';
import { numRuns } from '../support/num-runs.ts';

const read = (status: number, body: unknown) => readResult({ status, body: JSON.stringify(body) });

test('all errors of a test request are problems', () => {
  const errors = [
    { code: 'INVALID_FIELD_TYPE', field: 'imp[0].bidfloor', reason: 'must be a number; got a string' },
    { code: 'MISSING_REQUIRED_FIELD', field: 'imp[1]', reason: 'id is required' },
  ];
  const details = { ...errors[0], errors };
  expect(read(400, { error: { code: errors[0]!.code, message: 'Invalid field type', details } }).problems).toEqual(
    errors,
  );
});

test('an error without a list is one problem', () => {
  const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'Rate limit exceeded', details: { reason: 'slow down' } };
  expect(read(429, { error }).problems).toEqual([{ code: 'RATE_LIMIT_EXCEEDED', field: '', reason: 'slow down' }]);
});

test('a response that is not an error body is one problem with the status', () => {
  expect(readResult({ status: 502, body: '<html>' }).problems).toEqual([
    { code: 'HTTP 502', field: '', reason: 'The response has no error body.' },
  ]);
});

test('a bid response has winners, warnings and the report of each partner', () => {
  const service = {
    test: true,
    integrationLevel: 2,
    warnings: [{ code: 'CONSENT_UNUSABLE', field: 'user.ext.consent', message: 'no consent string' }],
    softDeadlineMs: 150,
    hardDeadlineMs: 500,
    partners: [
      { name: 'beta', outcome: 'bid', startMs: 1, durationMs: 7, deadlineMs: 149, bids: 1, rejected: [], lost: [] },
      { name: 'house', outcome: 'bid', durationMs: 0.1, bids: 1, rejected: [], lost: [{ impid: '1', price: 0.6 }] },
    ],
  };
  const bid = { impid: '1', price: 1.79, adm: '{}', adomain: ['uprise.example'] };
  const result = read(200, { id: 'r', cur: 'EUR', seatbid: [{ seat: 'beta', bid: [bid] }], ext: { service } });
  expect(result.problems).toEqual([]);
  expect(result.level).toBe(2);
  expect(result.warnings).toEqual([
    { code: 'CONSENT_UNUSABLE', field: 'user.ext.consent', reason: 'no consent string' },
  ]);
  expect(result.winners).toEqual([
    { impid: '1', seat: 'beta', price: 1.79, currency: 'EUR', adm: '{}', advertiser: 'uprise.example' },
  ]);
  expect([result.softDeadlineMs, result.hardDeadlineMs]).toEqual([150, 500]);
  expect(result.partners.map(({ name, startMs, deadlineMs }) => [name, startMs, deadlineMs])).toEqual([
    ['beta', 1, 149],
    ['house', 0, undefined],
  ]);
  expect(result.partners[1]!.lost).toEqual([{ impid: '1', price: 0.6 }]);
});

test('no body makes it fail', () => {
  const members = ['error', 'details', 'errors', 'ext', 'service', 'warnings', 'partners', 'seatbid', 'bid', 'adm'];
  const { body } = fc.letrec((tie) => ({
    body: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue(),
      fc.array(tie('body')),
      fc.dictionary(fc.constantFrom(...members), tie('body')),
    ),
  }));
  fc.assert(
    fc.property(body, fc.constantFrom(200, 400), (value, status) => {
      expect(Array.isArray(read(status, value).winners)).toBe(true);
    }),
    { numRuns: numRuns(500) },
  );
});
