/** Properties that hold for every request, however it is mutated. */
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { validateBidRequest } from '../../src/openrtb/validate-bid-request.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { fullRequest } from '../support/full-request.ts';
import { changeAt, mutated, pathsIn } from '../support/mutate.ts';
import { startExchange } from '../support/run-case.ts';
import { sendCase } from '../support/send-case.ts';
import { numRuns } from '../support/num-runs.ts';

const { server, defects } = await startExchange();
afterAll(() => void server.close());

test('the response to a mutated request is 200, 204 or a well-formed error body, never a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(mutated(fullRequest), async (body) => {
      const { status, headers, text } = await sendCase(server, { rawBody: JSON.stringify(body) });
      expect(defects).toEqual([]);
      expect([200, 204, 400]).toContain(status);
      if (status === 400) expectErrorBody(JSON.parse(text), headers['x-request-id']);
    }),
    { numRuns: 400 },
  );
});

/** Without the quoted excerpts of the caller's own text. */
const ownWords = (reason: string): string => reason.replaceAll(/"(?:[^"\\]|\\.)*"|'.+?'(?= |$)/gu, '');

test('a mutated request is valid, or has one error whose reason is complete, short and printable', () => {
  fc.assert(
    fc.property(mutated(fullRequest), (body) => {
      const result = validateBidRequest(body);
      if (result.valid) expect(result.request.natives).toHaveLength(result.request.bidRequest.imp.length);
      else {
        const { reason } = result.error;
        expect(ownWords(reason)).not.toMatch(/\{\w*\}|undefined|\[object/);
        expect(reason).toMatch(/^[^\p{C}]{1,500}$/u);
      }
    }),
    { numRuns: numRuns(5_000) },
  );
});

test.each(['x', 'é', '_', '\n', '"', "'", '[', '{"a":', 'https://a.', 'a.b.', '1.'])(
  'a very long value of %j anywhere gets a short reason',
  (part) => {
    const long = part.repeat(5_000);
    for (const path of pathsIn(fullRequest).slice(1)) {
      for (const value of [long, [long], { [long]: long }]) {
        const result = validateBidRequest(changeAt(fullRequest, path, () => value));
        if (!result.valid) expect(result.error.reason.length).toBeLessThan(500);
      }
    }
  },
);

const objectPaths = pathsIn(fullRequest).filter((path) => {
  let isObject = false;
  changeAt(fullRequest, path, (value) => {
    isObject = typeof value === 'object' && !Array.isArray(value);
    return value;
  });
  return isObject;
});

const unknownMember = fc.stringMatching(/^x[a-z_]{0,12}$/);

test('a valid request stays valid with unknown fields added anywhere', () => {
  fc.assert(
    fc.property(fc.constantFrom(...objectPaths), unknownMember, fc.jsonValue(), (path, name, value) => {
      const body = changeAt(fullRequest, path, (object) => ({ ...(object as object), [name]: value }));
      expect(validateBidRequest(body)).toMatchObject({ valid: true });
    }),
    { numRuns: numRuns(2_000) },
  );
});

test('unknown fields are unchanged after validation', () => {
  const body = { ...fullRequest, vendor: { deep: [null, { a: 1 }] }, site: { ...fullRequest.site, page: null } };
  expect(validateBidRequest(body)).toMatchObject({ valid: true, request: { bidRequest: body } });
});

test('unknown members of an invalid request are not read', () => {
  let reads = 0;
  const vendor = { enumerable: true, get: () => reads++ };
  const user = Object.defineProperties({ gender: 'x' }, { vendor });
  const body = Object.defineProperties({ ...fullRequest, user }, { vendor });
  expect(validateBidRequest(body)).toMatchObject({ valid: false, error: { field: 'user.gender' } });
  expect(reads).toBe(0);
});
