/** Clients that misuse their connection get a response or are disconnected, and the next request is served. */
import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fullRequest } from '../support/full-request.ts';
import { startExchange } from '../support/run-case.ts';
import { createTestExchange } from '../support/test-exchange.ts';
import { sendCase } from '../support/send-case.ts';
import { parseResponse, type RawResponse } from '../support/send-raw.ts';
import { until } from '../support/until.ts';

const exchange = await startExchange({ bodyTimeoutMs: 60_000, requestTimeoutMs: 60_000 });
afterAll(() => void exchange.server.close());

const openSocket = ({ server } = exchange): Socket => connect((server.address() as AddressInfo).port, '127.0.0.1');
const head = (length: number | 'chunked') =>
  `POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\n${
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  }\r\n\r\n`;

async function stillServes({ server, defects } = exchange): Promise<void> {
  expect(await sendCase(server, { body: fullRequest })).toMatchObject({ status: 200 });
  expect(defects).toEqual([]);
}

/** Reads until the body of the response is complete. */
async function readResponse(socket: Socket): Promise<RawResponse> {
  let received = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    received += String(chunk);
    const response = parseResponse(received);
    if (response.text.length >= Number(response.headers['content-length'] ?? Infinity)) return response;
  }
  return parseResponse(received);
}

test('a body that arrives too slowly gets 408', async () => {
  const impatient = await startExchange({ bodyTimeoutMs: 200 });
  const socket = openSocket(impatient);
  socket.write(head(1000));
  const drip = setInterval(() => socket.write(' '), 20);
  const response = await readResponse(socket);
  clearInterval(drip);
  expect(response).toMatchObject({ status: 408, headers: { connection: 'close' } });
  await stillServes(impatient);
  impatient.server.close();
});

test('an endless chunked body gets 413 as soon as it is too large', async () => {
  const socket = openSocket().on('error', () => {});
  socket.write(head('chunked'));
  const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
  const pump = setInterval(() => socket.write(chunk.repeat(4)), 1);
  const response = await readResponse(socket);
  clearInterval(pump);
  socket.destroy();
  expect(response.status).toBe(413);
  await stillServes();
});

test.each([
  [262_144, 200],
  [262_145, 413],
])('a chunked body of %d bytes gets %d', async (bytes, status) => {
  const body = JSON.stringify(fullRequest).padEnd(bytes);
  const chunks = body.match(/[^]{1,10000}/g)!.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  const socket = openSocket().on('error', () => {});
  socket.write(head('chunked') + chunks.join('') + '0\r\n\r\n');
  expect((await readResponse(socket)).status).toBe(status);
  socket.destroy();
});

test('a body that is too large by its Content-Length gets 413 before it is sent', async () => {
  const socket = openSocket();
  socket.write(head(256 * 1024 + 1));
  const response = await readResponse(socket);
  socket.destroy();
  expect(response.status).toBe(413);
  await stillServes();
});

test('a request that got its response does not get a second one if the rest of its body never arrives', async () => {
  const withShortTimeout = createTestExchange({ requestTimeoutMs: 300 });
  withShortTimeout.server.listen(0, '127.0.0.1');
  await once(withShortTimeout.server, 'listening');
  const socket = connect((withShortTimeout.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(head(256 * 1024 + 1));
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  await once(socket, 'close');
  withShortTimeout.server.close();
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413']);
});

test('a client that stalls many bodies delays no other client', async () => {
  const stalled = Array.from({ length: 250 }, () => {
    const socket = openSocket().on('error', () => {});
    socket.write(head(1000).replace('Host:', 'X-Forwarded-For: 203.0.113.9\r\nHost:'));
    return socket;
  });
  await Promise.all(stalled.map((socket) => once(socket, 'connect')));
  await stillServes();
  for (const socket of stalled) socket.destroy();
});

test('a request target that cannot be parsed gets 404, with all headers and the error body', async () => {
  const socket = openSocket();
  socket.write('POST http://[bad HTTP/1.1\r\nHost: gavel.test\r\nContent-Length: 0\r\n\r\n');
  const { status, headers, text } = await readResponse(socket);
  socket.destroy();
  expect(status).toBe(404);
  expect(headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-ratelimit-limit': expect.any(String) });
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'NOT_FOUND' } });
});

test('a request with Expect: 100-continue gets 100 only if its body will be read', async () => {
  const body = JSON.stringify(fullRequest);
  const expectContinue = (length: number) => head(length).replace('Host:', 'Expect: 100-continue\r\nHost:');
  const accepted = openSocket();
  accepted.write(expectContinue(body.length));
  const [first] = (await once(accepted, 'data')) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1.1 100 /);
  accepted.write(body);
  expect(await readResponse(accepted)).toMatchObject({ status: 200 });
  accepted.destroy();

  const rejected = openSocket();
  rejected.write(expectContinue(300_000));
  expect(await readResponse(rejected)).toMatchObject({ status: 413 });
  rejected.destroy();
});

test('a connection can be used again after a 413', async () => {
  const socket = openSocket();
  const large = ' '.repeat(300_000);
  const small = JSON.stringify(fullRequest);
  socket.write(head(large.length) + large);
  socket.write(head(small.length) + small);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  while (!received.includes('"seatbid"')) await once(socket, 'data');
  socket.destroy();
  expect(received).toMatch(/^HTTP\/1.1 413 [\s\S]*HTTP\/1.1 200 /);
});

test('a client that disconnects in the middle of its body leaks no slot', async () => {
  const withOneSlot = await startExchange({ maxPerAddress: 1, bodyTimeoutMs: 60_000, requestTimeoutMs: 60_000 });
  const socket = openSocket(withOneSlot);
  socket.write(`${head(1000)}{"id":`);
  await once(withOneSlot.server, 'request');
  socket.resetAndDestroy();
  await until('the request has ended', () => withOneSlot.outcomes.length === 1);
  await stillServes(withOneSlot);
  withOneSlot.server.close();
});

test('pipelined requests get their responses in order', async () => {
  const socket = openSocket();
  const send = (id: string) => {
    const body = JSON.stringify({ ...fullRequest, id });
    return head(body.length) + body;
  };
  socket.write(send('first') + send('second'));
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  while (!received.includes('"id":"second"')) await once(socket, 'data');
  socket.destroy();
  expect(received.indexOf('"id":"first"')).toBeLessThan(received.indexOf('"id":"second"'));
});
