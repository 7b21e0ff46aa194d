/** Whatever a client does to its connection, it gets its answer or is let go, and the next one is served. */
import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fullRequest } from '../support/full-request.ts';
import { startExchange } from '../support/run-case.ts';
import { createTestExchange } from '../support/test-exchange.ts';
import { sendCase } from '../support/send-case.ts';
import { parseAnswer } from '../support/send-raw.ts';

const exchange = await startExchange({ bodyTimeoutMs: 200 });
const { server, defects } = exchange;
afterAll(() => void server.close());

const open = (): Socket => connect((server.address() as AddressInfo).port, '127.0.0.1');
const head = (length: number | 'chunked') =>
  `POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\n${
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  }\r\n\r\n`;

async function stillServes(): Promise<void> {
  expect(await sendCase(server, { body: fullRequest })).toMatchObject({ status: 200 });
  expect(defects).toEqual([]);
}

/** Reads until the answer's body is whole. */
async function answerOn(socket: Socket): Promise<ReturnType<typeof parseAnswer>> {
  let received = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    received += String(chunk);
    const answer = parseAnswer(received);
    if (answer.text.length >= Number(answer.headers['content-length'] ?? Infinity)) return answer;
  }
  return parseAnswer(received);
}

test('a body that drips in slower than its time is ended', async () => {
  const socket = open();
  socket.write(head(1000));
  const drip = setInterval(() => socket.write(' '), 20);
  const answer = await answerOn(socket);
  clearInterval(drip);
  expect(answer).toMatchObject({ status: 408, headers: { connection: 'close' } });
  await stillServes();
});

test('an endless chunked body is answered 413 as soon as it is too large', async () => {
  const socket = open().on('error', () => {});
  socket.write(head('chunked'));
  const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
  const pump = setInterval(() => socket.write(chunk.repeat(4)), 1);
  const answer = await answerOn(socket);
  clearInterval(pump);
  socket.destroy();
  expect(answer.status).toBe(413);
  await stillServes();
});

test.each([
  [262_144, 200],
  [262_145, 413],
])('a chunked body of %d bytes gets %d', async (bytes, status) => {
  const body = JSON.stringify(fullRequest).padEnd(bytes);
  const chunks = body.match(/[^]{1,10000}/g)!.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  const socket = open().on('error', () => {});
  socket.write(head('chunked') + chunks.join('') + '0\r\n\r\n');
  expect((await answerOn(socket)).status).toBe(status);
  socket.destroy();
});

test('a body announced as too large is answered 413 before it is sent', async () => {
  const socket = open();
  socket.write(head(256 * 1024 + 1));
  const answer = await answerOn(socket);
  socket.destroy();
  expect(answer.status).toBe(413);
  await stillServes();
});

test('a request that has its answer gets no second one when the rest of it never comes', async () => {
  const impatient = createTestExchange({ requestTimeoutMs: 300 });
  impatient.server.listen(0, '127.0.0.1');
  await once(impatient.server, 'listening');
  const socket = connect((impatient.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(head(256 * 1024 + 1));
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  await once(socket, 'close');
  impatient.server.close();
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413']);
});

test('a client that stalls many bodies holds up only itself', async () => {
  const stalled = Array.from({ length: 250 }, () => {
    const socket = open().on('error', () => {});
    socket.write(head(1000).replace('Host:', 'X-Forwarded-For: 203.0.113.9\r\nHost:'));
    return socket;
  });
  await Promise.all(stalled.map((socket) => once(socket, 'connect')));
  await stillServes();
  for (const socket of stalled) socket.destroy();
});

test('a target that cannot be parsed is not found, with everything that an answer has', async () => {
  const socket = open();
  socket.write('POST http://[bad HTTP/1.1\r\nHost: gavel.test\r\nContent-Length: 0\r\n\r\n');
  const { status, headers, text } = await answerOn(socket);
  socket.destroy();
  expect(status).toBe(404);
  expect(headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-ratelimit-limit': expect.any(String) });
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'NOT_FOUND' } });
});

test('a client that closes its side after its request still gets the answer', async () => {
  const body = JSON.stringify(fullRequest);
  const socket = open();
  socket.end(head(body.length) + body);
  expect(await answerOn(socket)).toMatchObject({ status: 200 });
});

test('a client that asks whether to continue is told so only where its body will be read', async () => {
  const body = JSON.stringify(fullRequest);
  const asking = (length: number) => head(length).replace('Host:', 'Expect: 100-continue\r\nHost:');
  const wanted = open();
  wanted.write(asking(body.length));
  const [first] = (await once(wanted, 'data')) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1.1 100 /);
  wanted.write(body);
  expect(await answerOn(wanted)).toMatchObject({ status: 200 });
  wanted.destroy();

  const unwanted = open();
  unwanted.write(asking(300_000));
  expect(await answerOn(unwanted)).toMatchObject({ status: 413 });
  unwanted.destroy();
});

test('after a 413 the connection serves on', async () => {
  const socket = open();
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

test('a client that hangs up in the middle of its body leaves nothing behind', async () => {
  for (let client = 0; client < 150; client++) {
    const socket = open();
    socket.write(`${head(1000)}{"id":`);
    await once(socket, 'connect');
    socket.resetAndDestroy();
  }
  await stillServes();
});

test('pipelined requests are answered in their order', async () => {
  const socket = open();
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
