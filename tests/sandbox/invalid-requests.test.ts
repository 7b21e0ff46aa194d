/** Invalid requests get a clear error, and the sandbox keeps serving. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fullRequest } from '../support/full-request.ts';
import { mutated } from '../support/mutate.ts';
import { bidRequest } from './bid-request.ts';
import { type Sandbox, send, startSandbox } from './start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(async () => {
  expect(await sandbox.end()).toBe(0);
});

const withNativeRequest = (request: unknown) => bidRequest('r', { imp: { native: { request } } });

describe('responds 400 with the reason to', () => {
  test.each<[string, unknown, string]>([
    ['a body that is not JSON', '{"id":', 'the body is not valid JSON'],
    ['an empty body', '', 'the body is not valid JSON'],
    ['a body that is not an object', '[]', 'the body must be a JSON object'],
    ['a request without id', { imp: [{ id: '1' }] }, 'id must be a non-empty string'],
    ['an id that is not a string', { id: 7, imp: [{ id: '1' }] }, 'id must be a non-empty string'],
    ['a request without impressions', { id: 'r', imp: [] }, 'imp must be a non-empty array'],
    ['an impression that is null', { id: 'r', imp: [null] }, 'imp[0] must be an object'],
    ['an impression without id', { id: 'r', imp: [{ id: '1' }, {}] }, 'imp[1].id must be a non-empty string'],
    ['a floor that is a string', bidRequest('r', { imp: { bidfloor: '1' } }), 'imp[0].bidfloor must be a number'],
    ['a native request that is an object', withNativeRequest({}), 'imp[0].native.request must be a string'],
    ['a native request that is not JSON', withNativeRequest('{'), 'imp[0].native.request is not valid JSON'],
    [
      'a native request without assets',
      withNativeRequest('{"native":{}}'),
      'imp[0].native.request: assets must be a non-empty array',
    ],
    ['an asset without id', bidRequest('r', { assets: [{ title: { len: 9 } }] }), 'assets[0] must be an object'],
  ])('%s', async (_description, body, reason) => {
    for (const path of ['/alpha/bid', '/beta/bid']) {
      const { status, text } = await send(sandbox, path, body);
      expect(status).toBe(400);
      expect(JSON.parse(text)).toEqual({ error: expect.stringContaining(reason) });
    }
  });
});

test('responds 413 to a body above the size limit', async () => {
  const { status, text } = await send(sandbox, '/alpha/bid', ' '.repeat(1024 * 1024 + 1));
  expect(status).toBe(413);
  expect(JSON.parse(text)).toEqual({ error: 'the body exceeds 1048576 bytes' });
});

test('responds 404 to an unknown path and 405 to a wrong method', async () => {
  expect(await send(sandbox, '/epsilon/bid', {})).toEqual({ status: 404, text: expect.stringContaining('/alpha/bid') });
  expect(await send(sandbox, '/alpha/bid')).toEqual({ status: 405, text: '{"error":"use POST"}' });
  expect(await send(sandbox, '/shop/v1/ads/search', {})).toEqual({ status: 405, text: '{"error":"use GET"}' });
});

test('responds 200, 204 or 400 to a mutated request', async () => {
  await fc.assert(
    fc.asyncProperty(
      mutated(fullRequest),
      fc.constantFrom('/alpha/bid', '/beta/bid', '/delta/bid'),
      async (body, path) => {
        const { status } = await send(sandbox, path, body);
        expect([200, 204, 400]).toContain(status);
      },
    ),
    { numRuns: 500 },
  );
});
