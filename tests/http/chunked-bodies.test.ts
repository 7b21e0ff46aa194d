/** Chunked bodies on real connections: whole, in order, and without a trace on the connections that come later. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseResponses } from '../fuzz/http-client.ts';
import { fullRequest } from '../support/full-request.ts';
import { startExchange } from '../support/run-case.ts';
import { sendRaw } from '../support/send-raw.ts';
import type { TestExchange } from '../support/test-exchange.ts';
import { until } from '../support/until.ts';

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await startExchange();
});
afterEach(() => {
  exchange.server.closeAllConnections();
  exchange.server.close();
});

const headWith = (framing: string, more = ''): string =>
  `POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\n${framing}\r\n${more}\r\n`;

const port = (): number => (exchange.server.address() as AddressInfo).port;

interface Framing {
  /** Undefined: by its length. */
  chunkBytes: number | undefined;
  extension: string;
  trailer: string;
}

function messageOf(id: string, { chunkBytes, extension, trailer }: Framing): string {
  const body = JSON.stringify({ ...fullRequest, id });
  if (chunkBytes === undefined) return `${headWith(`Content-Length: ${body.length}`)}${body}`;
  const chunks = body
    .match(new RegExp(`.{1,${chunkBytes}}`, 'g'))!
    .map((chunk) => `${chunk.length.toString(16)}${extension}\r\n${chunk}\r\n`);
  return `${headWith('Transfer-Encoding: chunked')}${chunks.join('')}0\r\n${trailer}\r\n`;
}

const framing = fc.record({
  chunkBytes: fc.option(fc.integer({ min: 16, max: 3_000 }), { nil: undefined }),
  extension: fc.constantFrom('', ';a', ';a=b', ';a="b;c"'),
  trailer: fc.constantFrom('', 'X-Sum: 1\r\n', 'X-Sum: 1\r\nX-More: 2\r\n'),
});

const idOf = (body: string): string => (JSON.parse(body) as { id?: string }).id ?? body;

/** Sends the bytes in writes that end at these shares of them, and reads so many responses. */
async function converse(bytes: string, shares: readonly number[], count: number): Promise<string[]> {
  const socket = connect(port(), '127.0.0.1').setNoDelay(true);
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  const ends = [...shares.map((share) => Math.floor(share * bytes.length)), bytes.length].toSorted((a, b) => a - b);
  let start = 0;
  for (const end of ends) {
    socket.write(bytes.slice(start, end), 'latin1');
    start = end;
    await nextTurn();
  }
  const responses = () => parseResponses(received, false).responses;
  await until(`${count} responses are there`, () => responses().length >= count || socket.closed);
  socket.destroy();
  return responses().map(({ status, body }) => (status === 100 ? '100' : `${status} ${idOf(body)}`));
}

test('pipelined requests in any chunks and any writes are responded to in order', async () => {
  const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(framing, { minLength: 1, maxLength: 6 }), shares, async (framings, cuts) => {
      const bytes = framings.map((one, index) => messageOf(`request-${index}`, one)).join('');
      const expected = framings.map((_, index) => `200 request-${index}`);
      expect(await converse(bytes, cuts, framings.length)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
  expect(exchange.defects).toEqual([]);
});

test.each(['Connection: Upgrade\r\nUpgrade: h2c', 'Expect: 100-continue', 'Connection: close'])(
  'a chunked body arrives whole beside %s',
  async (header) => {
    const message = messageOf('request-1', { chunkBytes: 100, extension: '', trailer: '' });
    const bytes = message.replace('Transfer-Encoding', `${header}\r\nTransfer-Encoding`);
    for (const cuts of [[], [0.5], [0.2, 0.9]]) {
      const responses = await converse(bytes, cuts, header.startsWith('Expect') ? 2 : 1);
      expect(responses.at(-1)).toBe('200 request-1');
    }
  },
);

test('a chunk whose size is not valid gets 400 in the read in which others came before it', async () => {
  const chunks = `10\r\n${' '.repeat(16)}\r\n`.repeat(3);
  const response = await sendRaw(exchange.server, `${headWith('Transfer-Encoding: chunked')}${chunks}zz\r\n`);
  expect(response).toMatchObject({ status: 400, headers: { connection: 'close' } });
  expect(response.text).toContain('invalid character in chunk size');
});

describe('after clients that left in the middle of a chunked body', () => {
  beforeEach(async () => {
    for (let client = 0; client < 20; client++) {
      const socket = connect(port(), '127.0.0.1').on('error', () => {});
      socket.write(`${headWith('Transfer-Encoding: chunked')}10\r\n${' '.repeat(16)}\r\n20\r\nhalf`);
      await once(exchange.server, 'request');
      socket.destroy();
    }
    await until('all have left', () => exchange.outcomes.length === 20);
  });

  test('the bodies of others arrive, by length and in chunks', async () => {
    for (const chunkBytes of [undefined, 100, undefined, 100]) {
      const message = messageOf('request-1', { chunkBytes, extension: '', trailer: '' });
      expect(await converse(message, [], 1)).toEqual(['200 request-1']);
    }
  });

  test('a client of node:http in the same process gets its response: it uses the same parsers', async () => {
    const request = httpRequest({ port: port(), method: 'POST', path: '/openrtb2', agent: false });
    request.setHeader('Content-Type', 'application/json').end(JSON.stringify(fullRequest));
    const [response] = (await once(request, 'response')) as [AsyncIterable<Buffer>];
    let text = '';
    for await (const bytes of response) text += bytes.toString();
    expect(JSON.parse(text)).toMatchObject({ id: 'request-1' });
  });
});

/** About as many as fit in 16 KiB. By default node:http drops all but the first 1,000 or so. */
const manyHeaders = 'X:\r\n'.repeat(3_000);

describe('behind 3,000 other headers', () => {
  test('Transfer-Encoding counts: chunks of one byte get 400', async () => {
    const chunks = '1\r\n \r\n'.repeat(200);
    const message = `${headWith('Accept: */*', `${manyHeaders}Transfer-Encoding: chunked\r\n`)}${chunks}0\r\n\r\n`;
    const response = await sendRaw(exchange.server, message);
    expect(response).toMatchObject({ status: 400, headers: { connection: 'close' } });
    expect(response.text).toContain('chunks of 16 bytes or more');
  });

  test('a second Host counts', async () => {
    const response = await sendRaw(
      exchange.server,
      `${headWith('Content-Length: 2', `${manyHeaders}Host: other.test\r\nConnection: close\r\n`)}{}`,
    );
    expect(response.status).toBe(400);
    expect(response.text).toContain('more than one Host header');
  });
});
