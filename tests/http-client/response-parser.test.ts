/** How responses are framed, which are malformed and which exceed a limit, however they are split. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Progress, ResponseParser } from '../../src/http-client/response-parser.ts';
import { httpResponse } from '../fuzz/generate/http-response.ts';
import { Random } from '../fuzz/generate/random.ts';
import { numRuns } from '../support/num-runs.ts';

interface Parsed {
  progress: Progress;
  status?: number;
  body?: string;
  keepsAlive?: boolean;
  hasRest?: boolean;
}

/** The response in pieces that end at `cuts`, then the end of the connection. Pieces are read from one buffer, as from a socket. */
function parse(bytes: Buffer, cuts: readonly number[] = []): Parsed {
  const parser = new ResponseParser();
  parser.start(1_000_000);
  const shared = Buffer.alloc(bytes.length + 1);
  let progress: Progress = 'incomplete';
  let start = 0;
  for (const end of [...cuts, bytes.length]) {
    shared.fill('\n');
    bytes.copy(shared, 0, start, end);
    progress = parser.execute(shared, end - start, true);
    start = end;
    if (progress !== 'incomplete') break;
  }
  if (progress === 'incomplete') progress = parser.finish();
  if (progress !== 'complete') return { progress };
  const { head, body, bodyStart, bodyEnd, hasRest } = parser;
  const text = body.toString('latin1', bodyStart, bodyEnd);
  return {
    progress,
    status: head.status,
    body: text,
    keepsAlive: head.keepsAlive,
    hasRest: hasRest || start < bytes.length,
  };
}

const parseText = (text: string): Parsed => parse(Buffer.from(text, 'latin1'));
const response = (headers: string, body: string, start = 'HTTP/1.1 200 OK') => `${start}\r\n${headers}\r\n${body}`;
const chunked = (body: string) => response('transfer-encoding: chunked\r\n', body);

describe('a complete response', () => {
  test.each([
    ['of a given length', response('content-length: 2\r\n', '{}'), '{}', true],
    ['without a body', response('Content-Length: 0\r\n', ''), '', true],
    ['without a reason', response('content-length:2\r\n', '{}', 'HTTP/1.1 200'), '{}', true],
    ['after empty lines', `\r\n\r\n${response('content-length: 2\r\n', '{}')}`, '{}', true],
    [
      'after informational ones',
      `${response('', '', 'HTTP/1.1 103 Hints')}${response('content-length: 2\r\n', '{}')}`,
      '{}',
      true,
    ],
    ['in chunks', chunked('1\r\n{\r\n1\r\n}\r\n0\r\n\r\n'), '{}', true],
    [
      'in chunks with extensions and trailers',
      chunked('002;a;b=c;d="e;\\"f"\r\n{}\r\n0;z\r\nx: y\r\n\r\n'),
      '{}',
      true,
    ],
    ['until the end of the connection', response('', '{}'), '{}', false],
    ['that closes', response('connection: x, Close\r\ncontent-length: 2\r\n', '{}'), '{}', false],
    [
      'that closes, whatever else it says',
      response('connection: close\r\nconnection: keep-alive\r\ncontent-length: 2\r\n', '{}'),
      '{}',
      false,
    ],
    ['of HTTP/1.0', response('content-length: 2\r\n', '{}', 'HTTP/1.0 200 OK'), '{}', false],
    [
      'of HTTP/1.0 that stays',
      response('connection: keep-alive\r\ncontent-length: 2\r\n', '{}', 'HTTP/1.0 200 OK'),
      '{}',
      true,
    ],
    [
      'of HTTP/1.0 in chunks',
      response('transfer-encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n', 'HTTP/1.0 200 OK'),
      '{}',
      false,
    ],
  ])('%s', (_what, text, body, keepsAlive) => {
    expect(parseText(text)).toEqual({ progress: 'complete', status: 200, body, keepsAlive, hasRest: false });
  });

  test.each(['204 No Content', '304 Not Modified'])('%s has no body', (status) => {
    const of = (headers: string) => parseText(response(headers, '', `HTTP/1.1 ${status}`));
    expect(of('')).toMatchObject({ progress: 'complete', body: '', keepsAlive: true });
    expect(of('content-length: 2\r\n')).toMatchObject({ progress: 'complete', keepsAlive: false });
    expect(of('transfer-encoding: chunked\r\n')).toMatchObject({ progress: 'complete', keepsAlive: false });
  });

  test('ends before what follows', () => {
    expect(parseText(`${response('content-length: 2\r\n', '{}')}HTTP/1.1`)).toMatchObject({
      body: '{}',
      hasRest: true,
    });
    expect(parseText(chunked('0\r\n\r\nx'))).toMatchObject({ body: '', hasRest: true });
  });
});

test.each([
  ['another protocol', 'ICY 200 OK\r\n\r\n'],
  ['another version', response('content-length: 2\r\n', '{}', 'HTTP/2.0 200 OK')],
  ['a status of two digits', response('content-length: 2\r\n', '{}', 'HTTP/1.1 20 OK')],
  ['a status below 100', response('content-length: 2\r\n', '{}', 'HTTP/1.1 099 OK')],
  ['lines that end with LF only', 'HTTP/1.1 200 OK\ncontent-length: 2\n\n{}'],
  ['a bare CR', response('x: a\rb\r\n', '')],
  ['a control character', response('x: a\0b\r\n', '')],
  ['a folded header', response('x: a\r\n b\r\n', '')],
  ['a blank before the colon', response('content-length : 2\r\n', '{}')],
  ['a header without a name', response(': x\r\n', '')],
  ['a header without a colon', response('x\r\n', '')],
  ['two lengths', response('content-length: 2\r\ncontent-length: 2\r\n', '{}')],
  ['a list of lengths', response('content-length: 2, 2\r\n', '{}')],
  ['an empty length', response('content-length:\r\n', '{}')],
  ['a signed length', response('content-length: +2\r\n', '{}')],
  ['a length that no number holds', response('content-length: 18446744073709551618\r\n', '{}')],
  ['a length and chunks', response('content-length: 2\r\ntransfer-encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n')],
  ['another transfer coding', response('transfer-encoding: gzip, chunked\r\n', '2\r\n{}\r\n0\r\n\r\n')],
  ['two transfer codings', response('transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n')],
  ['a change of protocol', response('upgrade: x\r\nconnection: upgrade\r\n', '', 'HTTP/1.1 101 Switching')],
  ['a chunk without a size', chunked('\r\n{}\r\n0\r\n\r\n')],
  ['a chunk with a blank after its size', chunked('2 \r\n{}\r\n0\r\n\r\n')],
  ['a chunk with a bad extension', chunked('2;"a"\r\n{}\r\n0\r\n\r\n')],
  ['a chunk longer than its size', chunked('1\r\n{}\r\n0\r\n\r\n')],
  ['a chunk whose size ends with LF only', chunked('2\n{}\r\n0\r\n\r\n')],
  ['a length among the trailers', chunked('2\r\n{}\r\n0\r\ncontent-length: 2\r\n\r\n')],
  ['a body that ends too soon', response('content-length: 3\r\n', '{}')],
  ['chunks without the last one', chunked('2\r\n{}\r\n')],
  ['a head that does not end', 'HTTP/1.1 200 OK\r\nx: y\r\n'],
  ['nothing', ''],
])('malformed: %s', (_what, text) => {
  expect(parseText(text)).toEqual({ progress: 'malformed' });
});

describe('limits', () => {
  const filler = (length: number) => `x: ${'y'.repeat(length)}\r\n`;
  test.each([
    ['a length above the limit', response('content-length: 1000001\r\n', '')],
    ['a chunk above the limit', chunked('f4241\r\n')],
    ['a chunk above every limit', chunked(`${'f'.repeat(100)}\r\n`)],
    ['more bytes than the limit until the end', response('', 'x'.repeat(1_000_001))],
    ['a line without an end', `HTTP/1.1 200 ${'x'.repeat(17_000)}`],
    ['headers of more than 16 KiB', response(filler(16_400), '')],
    ['headers of more than 16 KiB in all', response('a:b\r\n'.repeat(3_300), '')],
    ['eleven informational responses', response('', '', 'HTTP/1.1 103 x').repeat(11)],
  ])('excessive: %s', (_what, text) => {
    expect(parseText(text)).toEqual({ progress: 'excessive' });
    expect(parse(Buffer.from(text), [...Array.from({ length: text.length }).keys()].slice(1))).toEqual({
      progress: 'excessive',
    });
  });

  test.each([
    ['the length at the limit', response('content-length: 1000000\r\n', 'x'.repeat(1_000_000))],
    ['headers of less than 16 KiB', response(`${filler(16_300)}content-length: 0\r\n`, '')],
    [
      'ten informational responses',
      response('', '', 'HTTP/1.1 103 x').repeat(10) + response('content-length: 0\r\n', ''),
    ],
  ])('allowed: %s', (_what, text) => {
    expect(parseText(text).progress).toBe('complete');
  });
});

test('excessive: a head that arrives in single bytes', () => {
  const bytes = Buffer.from(response(`content-length: 2\r\na: ${'b'.repeat(5_000)}\r\n`, '{}'));
  expect(parse(bytes)).toMatchObject({ progress: 'complete' });
  expect(parse(bytes, [...bytes.keys()])).toEqual({ progress: 'excessive' });
});

/** A line is read when its end has arrived, so that it may exceed a limit later, or never. */
const verdictOf = (parsed: Parsed): object => (parsed.progress === 'complete' ? parsed : { progress: 'failed' });

test('the result does not depend on where a response is split', () => {
  const any = fc.nat().map((seed) => httpResponse(new Random(seed)));
  fc.assert(
    fc.property(any, fc.array(fc.nat()), fc.boolean(), (bytes, places, everywhere) => {
      const isShort = bytes.length < 250; // the number of pieces is limited
      const cuts = everywhere && isShort ? bytes.keys() : places.map((place) => place % (bytes.length + 1));
      const split = parse(
        bytes,
        [...cuts].toSorted((a, b) => a - b),
      );
      expect(verdictOf(split)).toEqual(verdictOf(parse(bytes)));
    }),
    { numRuns: numRuns(1_000) },
  );
});
