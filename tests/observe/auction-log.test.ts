/** The auction log: batches, bounds, retries and what is counted as dropped. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AuctionLog, maxBatchEntries, maxEntries, maxWaitMs, type Unavailable } from '../../src/observe/auction-log.ts';
import { numRuns } from '../support/num-runs.ts';

const unavailable: Unavailable = { reason: 'no space left' };

/** A destination whose next results are given; without one, everything is written. */
class FakeSink {
  readonly written: number[] = [];
  readonly batches: number[] = [];
  readonly results: (number | Unavailable)[] = [];
  reopened = 0;

  async write(lines: readonly string[]): Promise<number | Unavailable> {
    await Promise.resolve();
    this.batches.push(lines.length);
    const result = this.results.shift() ?? lines.length;
    const count = typeof result === 'number' ? result : 0;
    for (const line of lines.slice(0, count)) this.written.push((JSON.parse(line) as { n: number }).n);
    return result;
  }

  reopen(): void {
    this.reopened++;
  }
}

let sink: FakeSink;
let nowMs: number;
let timers: { callback: () => void; delayMs: number }[];
let drops: [number, string][];
let closings: number;
let log: AuctionLog;
beforeEach(() => {
  closings = 0;
  sink = new FakeSink();
  nowMs = 0;
  timers = [];
  drops = [];
  log = new AuctionLog({
    sink,
    onDropped: (entries, reason) => drops.push([entries, reason]),
    onClosed: () => closings++,
    nowMs: () => nowMs,
    schedule: (callback, delayMs) => timers.push({ callback, delayMs }),
  });
});

const add = (from: number, count: number) => {
  for (let n = from; n < from + count; n++) log.add({ n });
};
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Lets the next timer fire and what it starts finish. */
async function fire(): Promise<void> {
  const { callback, delayMs } = timers.shift()!;
  nowMs += delayMs;
  callback();
  await settle();
}

test('nothing is written until the timer fires; then all entries are one batch', async () => {
  add(0, 3);
  await settle();
  expect([sink.batches, timers.length]).toEqual([[], 1]);
  await fire();
  expect([sink.batches, sink.written, timers.length]).toEqual([[3], [0, 1, 2], 0]);
});

test('entries beyond a batch are written in the next, in order', async () => {
  add(0, maxBatchEntries + 1);
  await fire();
  expect(sink.batches).toEqual([maxBatchEntries, 1]);
  expect(sink.written).toEqual(numbers(maxBatchEntries + 1));
});

test('at most 10,000 entries wait; those beyond are dropped', async () => {
  add(0, maxEntries);
  expect(drops).toEqual([]);
  add(maxEntries, 2);
  expect(drops).toEqual([
    [1, 'too many entries are waiting'],
    [1, 'too many entries are waiting'],
  ]);
  await fire();
  expect(sink.written).toEqual(numbers(maxEntries));
});

test('the batch that is written again counts towards the bound', async () => {
  sink.results.push(unavailable);
  add(0, maxBatchEntries);
  await fire();
  add(maxBatchEntries, maxEntries - maxBatchEntries);
  expect(drops).toEqual([]);
  add(maxEntries, 1);
  expect(drops).toHaveLength(1);
});

describe('a destination that is unavailable', () => {
  test('gets the same lines again, before later ones', async () => {
    sink.results.push(unavailable);
    add(0, 2);
    await fire();
    add(2, 1);
    await fire();
    expect([sink.batches, sink.written, drops]).toEqual([[2, 2, 1], [0, 1, 2], []]);
  });

  test('loses entries that have waited 5 s, with its reason', async () => {
    add(0, 2);
    while (nowMs < maxWaitMs) {
      expect(drops).toEqual([]);
      sink.results.push(unavailable);
      await fire();
    }
    expect(drops).toEqual([[2, 'no space left']]);
    expect(timers).toEqual([]);
    add(2, 1);
    await fire();
    expect(sink.written).toEqual([2]);
  });
});

test('lines that a destination lost are dropped and not written again', async () => {
  sink.results.push(1);
  add(0, 3);
  await fire();
  expect([sink.written, drops]).toEqual([[0], [[2, 'not all entries were written']]]);
});

describe('at shutdown', () => {
  test('waiting entries are written', async () => {
    add(0, maxBatchEntries + 1);
    await log.close();
    expect(sink.written).toEqual(numbers(maxBatchEntries + 1));
  });

  test('the batch in progress is not written twice', async () => {
    add(0, 2);
    timers.shift()!.callback();
    add(2, 1);
    await log.close();
    expect(sink.written).toEqual([0, 1, 2]);
  });

  test('a write that hangs does not delay it for longer than 300 ms', async () => {
    sink.write = () => new Promise(() => {});
    add(0, 1);
    const closed = log.close();
    expect(timers.at(-1)!.delayMs).toBe(300);
    timers.at(-1)!.callback();
    await closed;
    expect(drops).toEqual([[1, 'they were not written before the worker ended']]);
    expect(closings).toBe(1);
  });

  test('a write that ends after the timeout drops no entry twice, and no further batch is written', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    let writes = 0;
    sink.write = () => {
      writes++;
      return promise;
    };
    add(0, maxBatchEntries + 1);
    const closed = log.close();
    timers.at(-1)!.callback();
    await closed;
    resolve(0);
    await settle();
    for (let fired = 0; fired < 5; fired++) {
      timers.shift()?.callback();
      await settle();
    }
    expect(drops).toEqual([[maxBatchEntries + 1, 'they were not written before the worker ended']]);
    expect(writes).toBe(1);
  });

  test('entries are dropped if the destination is unavailable', async () => {
    sink.results.push(unavailable, unavailable);
    add(0, maxBatchEntries + 1);
    await log.close();
    expect(drops).toEqual([
      [maxBatchEntries, 'no space left'],
      [1, 'no space left'],
    ]);
  });
});

test('every entry is written once or dropped once, in order, whatever the destination does', async () => {
  const result = fc.oneof(fc.constant(unavailable), fc.constant(0), fc.constant(1));
  const step = fc.record({ entries: fc.nat(700), results: fc.array(result, { maxLength: 3 }) });
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        let added = 0;
        for (const { entries, results } of steps) {
          sink.results.push(...results);
          add(added, entries);
          added += entries;
          if (timers.length > 0) await fire();
        }
        sink.results.length = 0;
        await log.close();
        const dropped = drops.reduce((sum, [count]) => sum + count, 0);
        expect(sink.written.length + dropped).toBe(added);
        expect(sink.written).toEqual([...new Set(sink.written)].toSorted((a, b) => a - b));
      })
      .beforeEach(() => {
        sink = new FakeSink();
        timers = [];
        drops = [];
        log = new AuctionLog({
          sink,
          onDropped: (entries, reason) => drops.push([entries, reason]),
          onClosed: () => closings++,
          nowMs: () => nowMs,
          schedule: (callback, delayMs) => timers.push({ callback, delayMs }),
        });
      }),
    { numRuns: numRuns(50) },
  );
});

test('reopening is passed on', () => {
  log.reopen();
  expect(sink.reopened).toBe(1);
});
