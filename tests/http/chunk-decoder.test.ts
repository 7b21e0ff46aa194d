/** The data of a chunked body is what its chunks hold, however they and the reads divide it. */
import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { ChunkDecoder } from '../../src/http/chunk-decoder.ts';

const line = fc.stringMatching(/^[ -~]{0,20}$/);
const data = fc.uint8Array({ minLength: 1, maxLength: 300 });
const sizeOf = ({ length }: Uint8Array, isUpperCase: boolean, zeros: number): string => {
  const digits = length.toString(16).padStart(zeros, '0');
  return isUpperCase ? digits.toUpperCase() : digits;
};

const chunk = fc
  .record({ data, extension: line, isUpperCase: fc.boolean(), zeros: fc.integer({ min: 1, max: 12 }) })
  .map(({ data, extension, isUpperCase, zeros }) => ({
    data,
    bytes: Buffer.concat([
      Buffer.from(`${sizeOf(data, isUpperCase, zeros)}${extension && `;${extension}`}\r\n`),
      data,
      Buffer.from('\r\n'),
    ]),
  }));

const trailers = fc.array(line.map((value) => `Trailer: ${value}\r\n`)).map((lines) => lines.join(''));

/** The reads in which these bytes arrive, divided at these shares of them. */
function reads(bytes: Buffer, shares: readonly number[]): Buffer[] {
  const ends = [...shares.map((share) => Math.floor(share * bytes.length)), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

test('any chunks in any reads have their data, their number and their end', () => {
  const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 20 }), trailers, fc.uint8Array(), shares, (chunks, after, next, cuts) => {
      const body = Buffer.concat([...chunks.map(({ bytes }) => bytes), Buffer.from(`0\r\n${after}\r\n`)]);
      const decoder = new ChunkDecoder();
      const last = reads(body, cuts);
      const end = Buffer.concat([last.pop()!, next]); // the next request
      const decoded = last.map((read) => decoder.decode(read));
      if (end.length > next.length) expect(decoder.isComplete).toBe(false);
      decoded.push(decoder.decode(end));
      expect(Buffer.concat(decoded)).toEqual(Buffer.concat(chunks.map(({ data }) => data)));
      expect(decoder).toMatchObject({ isComplete: true, chunks: chunks.length });
    }),
  );
});

test('the data has memory of its own: what was read may be used again, and the data freed', () => {
  const decoder = new ChunkDecoder();
  const read = Buffer.from('4\r\ndata\r\n0\r\n\r\n');
  const decoded = decoder.decode(read);
  decoder.decode(Buffer.from('4\r\nmore\r\n'));
  read.fill(0);
  expect(decoded.toString()).toBe('data');
  expect(decoded.buffer.byteLength).toBe(4);
});

const inChunksOf = (bytes: number, count: number): Buffer =>
  Buffer.from(`${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`.repeat(count));

test.each([
  ['one chunk of one byte', false, inChunksOf(1, 1)],
  ['two chunks of one byte', true, inChunksOf(1, 2)],
  ['chunks of 15 bytes', true, inChunksOf(15, 100)],
  ['chunks of 16 bytes', false, inChunksOf(16, 16_384)],
  ['small chunks before large ones', false, Buffer.concat([inChunksOf(1, 30), inChunksOf(512, 1)])],
])('whether a body of %s has chunks that are too small: %s', (_chunks, isTooSmall, chunks) => {
  const decoder = new ChunkDecoder();
  decoder.decode(Buffer.concat([chunks, Buffer.from('0\r\n\r\n')]));
  expect(decoder.areTooSmall()).toBe(isTooSmall);
});

test('before the end of the body, 32 small chunks may come before larger ones', () => {
  const decoder = new ChunkDecoder();
  decoder.decode(inChunksOf(1, 34));
  expect(decoder.areTooSmall()).toBe(false); // one per 16 bytes beside the 32
  decoder.decode(inChunksOf(1, 2));
  expect(decoder.areTooSmall()).toBe(true);
});
