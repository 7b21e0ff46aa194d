import { expect, test } from '@jest/globals';
import { freeBytes } from '../../src/bytes/free-bytes.ts';

test('a buffer with memory of its own is empty afterwards', () => {
  const bytes = Buffer.allocUnsafeSlow(10_000);
  freeBytes(bytes);
  expect(bytes).toHaveLength(0);
});

test('a part of a buffer keeps its memory, which others use', () => {
  const whole = Buffer.alloc(10_000, 'a');
  const part = whole.subarray(0, 9_000);
  freeBytes(part);
  expect(part.toString()).toBe('a'.repeat(9_000));
});

test('a small buffer is left to the garbage collector', () => {
  const bytes = Buffer.allocUnsafeSlow(100);
  freeBytes(bytes);
  expect(bytes).toHaveLength(100);
});
