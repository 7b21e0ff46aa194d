/** Lines are written in order; those beyond the bound are dropped, counted and reported, whatever the descriptor accepts. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PassThrough } from 'node:stream';
import { BoundedOutput, maxQueuedBytes } from '../../src/observe/bounded-output.ts';
import { forwardLines } from '../../src/observe/forward-lines.ts';
import { numRuns } from '../support/num-runs.ts';

/** A descriptor that accepts `space` bytes, then fails with `code`; if it is '', then accepts none without an error. */
class FakeDescriptor {
  text = '';
  space = Infinity;
  code = 'EAGAIN';
  attempts = 0;
  /** The delays of scheduled flushes. */
  readonly delays: number[] = [];
  #callback: (() => void) | undefined;
  readonly output = new BoundedOutput({
    write: (bytes) => {
      this.attempts++;
      const count = Math.min(this.space, bytes.length);
      if (count === 0 && this.code !== '') throw Object.assign(new Error(this.code), { code: this.code });
      this.space -= count;
      this.text += bytes.toString('latin1', 0, count);
      return count;
    },
    schedule: (callback, delayMs) => {
      expect(this.#callback).toBeUndefined();
      this.#callback = callback;
      this.delays.push(delayMs);
    },
    report: (dropped) => `dropped ${dropped}\n`,
  });

  /** Runs the scheduled flush, if there is one. */
  runFlush(): boolean {
    const callback = this.#callback;
    this.#callback = undefined;
    callback?.();
    return callback !== undefined;
  }
}

const line = (bytes: number) => `${'x'.repeat(bytes - 1)}\n`;

describe('a descriptor that accepts everything', () => {
  test('gets the lines of 10 ms in one write', () => {
    const fake = new FakeDescriptor();
    for (const text of ['a\n', 'b\n', 'c\n']) fake.output.write(text);
    expect(fake.text).toBe('');
    fake.runFlush();
    expect(fake).toMatchObject({ text: 'a\nb\nc\n', attempts: 1, delays: [10] });
  });
});

describe.each(['EAGAIN', 'EPIPE', 'ENOSPC', 'EIO', ''])('a descriptor that fails with %s', (code) => {
  const blocked = () => Object.assign(new FakeDescriptor(), { space: 0, code });

  test('is tried again with growing delays of at most 100 ms, and not by every line', () => {
    const fake = blocked();
    for (let i = 0; i < 10; i++) {
      for (let lines = 0; lines < 50; lines++) fake.output.write('a\n');
      fake.runFlush();
    }
    expect(fake.attempts).toBe(10);
    expect(fake.delays).toEqual([10, 1, 2, 4, 8, 16, 32, 64, 100, 100, 100]);
  });

  test('queues at most 1 MiB; later lines are dropped until the queue is written, then reported', () => {
    const fake = blocked();
    for (let i = 0; i < maxQueuedBytes / 1_024; i++) fake.output.write(line(1_024));
    expect(fake.output.dropped).toBe(0);
    fake.output.write('late\nlater\n');
    expect(fake.output.dropped).toBe(2);
    fake.runFlush();
    fake.space = 2_048;
    fake.runFlush();
    fake.output.write('no gap\n'); // there is room again, but lines would be missing before it
    fake.space = Infinity;
    fake.runFlush();
    fake.output.write('after\n');
    fake.runFlush();
    expect(fake.output.dropped).toBe(3);
    expect(fake.text).toBe(`${line(1_024).repeat(1_024)}dropped 3\nafter\n`);
  });
});

test('what is written plus what is dropped is what was logged, in order and in whole lines', () => {
  const step = fc.oneof(
    fc.record({ write: fc.integer({ min: 1, max: 400_000 }) }),
    fc.record({ space: fc.integer({ min: 0, max: 1_500_000 }) }),
  );
  const check = (steps: ({ write: number } | { space: number })[]) => {
    const fake = new FakeDescriptor();
    fake.space = 0;
    let written = 0;
    for (const action of steps) {
      if ('write' in action) fake.output.write(`${written++}${line(action.write)}`);
      else fake.space = action.space;
      fake.runFlush();
    }
    fake.space = Infinity;
    while (fake.runFlush());
    let next = 0;
    for (const text of fake.text.split('\n').slice(0, -1)) {
      const dropped = /^dropped (\d+)$/.exec(text);
      if (dropped) next += Number(dropped[1]);
      else expect(text).toMatch(new RegExp(`^${next++}x*$`));
    }
    expect(next).toBe(written);
  };
  fc.assert(fc.property(fc.array(step, { maxLength: 30 }), check), { numRuns: numRuns(100) });
});

test('forwards the output of a child in whole lines, and its unfinished last line', async () => {
  const stream = new PassThrough();
  const written: string[] = [];
  const forwarded = forwardLines(stream, { write: (lines) => void written.push(lines.toString()) });
  for (const chunk of ['one\ntw', 'o', '\nthree\nfo', 'ur']) {
    stream.write(chunk);
    await new Promise(setImmediate);
  }
  stream.end();
  await forwarded;
  expect(written).toEqual(['one\n', 'two\nthree\n', 'four\n']);
});

test('forwards a line without end in parts, so that its memory is bounded', async () => {
  const stream = new PassThrough();
  let longest = 0;
  const forwarded = forwardLines(stream, { write: ({ length }) => void (longest = Math.max(longest, length)) });
  for (let i = 0; i < 20; i++) stream.write(Buffer.alloc(10_000, 'x'));
  stream.end();
  await forwarded;
  expect(longest).toBeGreaterThan(65_536);
  expect(longest).toBeLessThan(2 * 65_536);
});
