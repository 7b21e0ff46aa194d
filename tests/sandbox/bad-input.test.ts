/** Whatever is sent, the answer is clear and the sandbox goes on. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fullRequest } from '../support/full-request.ts';
import { mutated } from '../support/mutate.ts';
import { bidRequest } from './bid-request.ts';
import { ask, type Sandbox, startSandbox } from './start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(async () => {
  expect(await sandbox.end()).toBe(0);
});

const withNative = (request: unknown) => bidRequest('r', { imp: { native: { request } } });

describe('a request that cannot be understood is answered 400 with the reason', () => {
  test.each<[string, unknown, string]>([
    ['no JSON', '{"id":', 'the body is not valid JSON'],
    ['nothing', '', 'the body is not valid JSON'],
    ['no object', '[]', 'the body must be a JSON object'],
    ['no id', { imp: [{ id: '1' }] }, 'id must be a text'],
    ['an id that is no text', { id: 7, imp: [{ id: '1' }] }, 'id must be a text'],
    ['no impressions', { id: 'r', imp: [] }, 'imp must be an array'],
    ['an impression of null', { id: 'r', imp: [null] }, 'imp[0] must be an object'],
    ['an impression without id', { id: 'r', imp: [{ id: '1' }, {}] }, 'imp[1].id must be a text'],
    ['a floor in quotes', bidRequest('r', { imp: { bidfloor: '1' } }), 'imp[0].bidfloor must be a number'],
    ['a native request that is an object', withNative({}), 'imp[0].native.request must be the JSON text'],
    ['a native request that is no JSON', withNative('{'), 'imp[0].native.request is not valid JSON'],
    ['a native request without assets', withNative('{"native":{}}'), 'imp[0].native.request: assets must be'],
    ['an asset without id', bidRequest('r', { assets: [{ title: { len: 9 } }] }), 'assets[0] must be an object'],
  ])('%s', async (_what, body, reason) => {
    for (const path of ['/alpha/bid', '/beta/bid']) {
      const { status, text } = await ask(sandbox, path, body);
      expect(status).toBe(400);
      expect(JSON.parse(text)).toEqual({ error: expect.stringContaining(reason) });
    }
  });
});

test('a body above the limit is refused', async () => {
  const { status, text } = await ask(sandbox, '/alpha/bid', ' '.repeat(1024 * 1024 + 1));
  expect(status).toBe(413);
  expect(JSON.parse(text)).toEqual({ error: 'the body is too large' });
});

test('a place that does not exist is 404, a method that does not belong there 405', async () => {
  expect(await ask(sandbox, '/gamma/bid', {})).toEqual({ status: 404, text: expect.stringContaining('/alpha/bid') });
  expect(await ask(sandbox, '/alpha/bid')).toEqual({ status: 405, text: '{"error":"use POST"}' });
  expect(await ask(sandbox, '/shop/v1/ads/search', {})).toEqual({ status: 405, text: '{"error":"use GET"}' });
});

test('a request changed anywhere is bid on, passed or refused, and never more', async () => {
  await fc.assert(
    fc.asyncProperty(mutated(fullRequest), fc.constantFrom('/alpha/bid', '/beta/bid'), async (body, path) => {
      const { status } = await ask(sandbox, path, body);
      expect([200, 204, 400]).toContain(status);
    }),
    { numRuns: 500 },
  );
});
