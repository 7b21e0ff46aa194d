/** Gzip data of one or several members, within the limits, and beyond them. */
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { emptyDynamicBlocks, emptyFullBlocks } from '../../load/audit/values/gzip-blocks.ts';
import { gunzip, isCostlyGzip } from '../../src/gzip/gunzip.ts';

const maxBytes = 100_000;

test('decompresses what gzip compresses', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5_000 }), (content) => {
      expect(gunzip(gzipSync(content), maxBytes)).toEqual({ bytes: Buffer.from(content) });
    }),
  );
});

function announcing(data: Buffer, bytes: number): Buffer {
  data.writeUInt32LE(bytes, data.length - 4);
  return data;
}

test('data of more than 200 KiB is too large; random texts in Base64 of the largest body are not', () => {
  const text = randomBytes(196_608).toString('base64');
  expect(text).toHaveLength(262_144);
  expect(gunzip(gzipSync(text), 262_144)).toEqual({ bytes: Buffer.from(text) });
  expect(gunzip(emptyFullBlocks(204_800), 262_144)).toEqual({ bytes: Buffer.alloc(0) });
  expect(gunzip(emptyFullBlocks(205_000), 262_144)).toMatchObject({ isTooLarge: true });
});

describe('is costly', () => {
  test.each([
    ['a text that is small decompressed', gzipSync('a text'), false],
    ['a text that is large decompressed', gzipSync('a'.repeat(40_000)), true],
    ['data that is large compressed', gzipSync(randomBytes(40_000)), true],
    ['data that hardly shrinks', gzipSync(randomBytes(5_000)), true],
    ['short data that hardly shrinks', gzipSync(randomBytes(2_000)), false],
    ['blocks without content', emptyDynamicBlocks(5_000), true],
    ['blocks without content, announced as a text', announcing(emptyFullBlocks(9_000), 30_000), true],
    ['nothing', Buffer.alloc(0), false],
  ])('%s: %#', (_what, data, expected) => {
    expect(isCostlyGzip(data, 32_768)).toBe(expected);
  });

  test('blocks without content are valid', () => {
    for (const data of [emptyDynamicBlocks(5_000), emptyFullBlocks(5_000)])
      expect(gunzip(data, maxBytes)).toEqual({ bytes: Buffer.alloc(0) });
  });
});

describe('members', () => {
  const members = (count: number, content = '') =>
    Buffer.concat(Array.from({ length: count }, () => gzipSync(content)));

  test('16 are decompressed one after another', () => {
    expect(gunzip(members(16, 'ab'), maxBytes)).toEqual({ bytes: Buffer.from('ab'.repeat(16)) });
  });

  test('17 are rejected before decompression', () => {
    expect(gunzip(members(17, 'ab'), maxBytes)).toEqual({ problem: 'it has more than 16 members', isTooLarge: false });
  });

  test('random data of the largest body is not taken for members', () => {
    const content = randomBytes(maxBytes);
    expect(gunzip(gzipSync(content), maxBytes)).toEqual({ bytes: content });
  });
});

test('more than the maximum is too large', () => {
  expect(gunzip(gzipSync(Buffer.alloc(maxBytes)), maxBytes)).toHaveProperty('bytes.length', maxBytes);
  expect(gunzip(gzipSync(Buffer.alloc(maxBytes + 1)), maxBytes)).toMatchObject({ isTooLarge: true });
});

test.each([
  ['an empty buffer', Buffer.alloc(0)],
  ['plain text', Buffer.from('{}')],
  ['a member cut short', gzipSync('{"id":"r1"}').subarray(0, 20)],
])('%s is not gzip', (_what, data) => {
  expect(gunzip(data, maxBytes)).toMatchObject({ isTooLarge: false, problem: expect.any(String) });
});
