/** Whatever the editor holds, the playground never runs a live auction, and the endpoint gets the text that was written. */
import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toSend, TryError, tryRequest } from '../../../src/fleet/console/try-request.ts';
import { isObject } from '../../../src/json/guards.ts';
import { parseJson } from '../../../src/json/parse-json.ts';
import { numRuns } from '../../support/num-runs.ts';

const sent = (text: string): string => toSend(Buffer.from(text)).toString();

test.each([
  ['without test', '{"id":"1"}', '{"id":"1","test": 1}'],
  ['indented', '{\n  "id": "1"\n}\n', '{\n  "id": "1",\n  "test": 1\n}\n'],
  ['an empty object', '{ }', '{ "test": 1 }'],
  [
    'test of an inner object',
    '{"ext":{"test":1},"imp":[{"test":1}]}',
    '{"ext":{"test":1},"imp":[{"test":1}],"test": 1}',
  ],
  ['a value that is written like test', '{"id":"test","a":["test",0]}', '{"id":"test","a":["test",0],"test": 1}'],
  ['an escaped name', String.raw`{"\u0074est":0}`, String.raw`{"\u0074est":1}`],
  ['a number outside the range of a double, which the exchange rejects', '{"b":1e400}', '{"b":1e400,"test": 1}'],
  ['test: 0', '{"test":0,"id":"1"}', '{"test":1,"id":"1"}'],
  ['test: null, which counts as absent', '{"test":null}', '{"test":1}'],
  ['test: 2', '{"test":2}', '{"test":1}'],
  ['a byte order mark, which the exchange accepts', '\uFEFF{"id":"1"}', '\uFEFF{"id":"1","test": 1}'],
  ['test: 0 after test: 1', '{"test":1,"test":0}', '{"test":1,"test":1}'],
])('%s: test is set', (_name, text, expected) => {
  expect(sent(text)).toBe(expected);
});

test.each([
  '{"test": 1,\n "id": "1"}',
  '{"test": "1"}',
  '{"test": 1.5}',
  '{"test": true}',
  `{"id":${' '.repeat(262_144)}"1"}`,
  '{"id": "1",}',
  '',
  '[]',
  'null',
  '"{}"',
  '['.repeat(10_000),
  '{"a":'.repeat(100),
])('text %# is sent as it is', (text) => {
  expect(sent(text)).toBe(text);
});

test('a text that the exchange parses as an object is in test mode, unless its type of test is an error', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value = parseJson(sent(text));
      if (isObject(value) && value.test !== 1) expect(Number.isInteger(value.test ?? 0)).toBe(false);
    }),
    { numRuns: numRuns(500) },
  );
});

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function settingsOf(listener: RequestListener) {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openrtb2`;
  return { endpoint, apiKey: undefined, timeoutMs: 5_000, maxResponseBytes: 1_000 };
}

test('the result has status, headers and body of the endpoint', async () => {
  const settings = await settingsOf((request, response) => {
    response.writeHead(400, { 'X-Request-Id': 'r1' });
    request.pipe(response);
  });
  const result = await tryRequest(Buffer.from('{"id":'), settings);
  expect(result).toMatchObject({ status: 400, body: '{"id":', durationMs: expect.any(Number) });
  expect(result.headers).toContainEqual(['X-Request-Id', 'r1']);
});

test.each([
  ['an API key', 'key-1', 'Bearer key-1'],
  ['no API key', undefined, undefined],
])('%s is sent as the Authorization header', async (_name, apiKey, expected) => {
  let authorization: string | undefined = 'none';
  const settings = await settingsOf(({ headers }, response) => {
    ({ authorization } = headers);
    response.end();
  });
  await tryRequest(Buffer.from('{}'), { ...settings, apiKey });
  expect(authorization).toBe(expected);
});

test('an API key that no header can have is an error', async () => {
  const settings = await settingsOf((_request, response) => void response.end());
  await expect(tryRequest(Buffer.from('{}'), { ...settings, apiKey: 'a\nb' })).rejects.toThrow(TryError);
});

test('a response beyond the limit is not read', async () => {
  const settings = await settingsOf((_request, response) => void response.end('x'.repeat(1_001)));
  await expect(tryRequest(Buffer.from('{}'), settings)).rejects.toThrow('the response has more than 1000 bytes');
});

test.each<[string, RequestListener]>([
  ['does not respond', () => {}],
  ['stops within its response', (_request, response) => void response.write('{')],
])('an endpoint that %s is given up', async (_name, listener) => {
  const settings = await settingsOf(listener);
  await expect(tryRequest(Buffer.from('{}'), { ...settings, timeoutMs: 50 })).rejects.toThrow(
    'no response within 50 ms',
  );
});
