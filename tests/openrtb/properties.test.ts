/** What holds of every request, whatever was done to it. */
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { validateBidRequest } from '../../src/openrtb/validate-bid-request.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { fullRequest } from '../support/full-request.ts';
import { changeAt, mutated, placesIn } from '../support/mutate.ts';
import { startExchange } from '../support/run-case.ts';
import { sendCase } from '../support/send-case.ts';

const { server, defects } = await startExchange();
afterAll(() => void server.close());

test('a mutated request is answered 200, 204 or with an error body that fits its schema, never with a 5xx', async () => {
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

test('the verdict on a mutated request is a valid request or one error that names a row', () => {
  fc.assert(
    fc.property(mutated(fullRequest), (body) => {
      const verdict = validateBidRequest(body);
      if (verdict.valid) expect(verdict.request.natives).toHaveLength(verdict.request.bidRequest.imp.length);
      else expect(verdict.error.reason).not.toMatch(/[{}]|undefined/);
    }),
    { numRuns: 10_000 },
  );
});

const objects = placesIn(fullRequest).filter((path) => {
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
    fc.property(fc.constantFrom(...objects), unknownMember, fc.jsonValue(), (path, name, value) => {
      const body = changeAt(fullRequest, path, (object) => ({ ...(object as object), [name]: value }));
      expect(validateBidRequest(body)).toMatchObject({ valid: true });
    }),
    { numRuns: 2_000 },
  );
});

test('unknown fields come out of validation as they went in', () => {
  const body = { ...fullRequest, vendor: { deep: [null, { a: 1 }] }, site: { ...fullRequest.site, page: null } };
  expect(validateBidRequest(body)).toMatchObject({ valid: true, request: { bidRequest: body } });
});
