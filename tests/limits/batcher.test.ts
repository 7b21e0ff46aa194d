/** Batches of requests: which requests share a batch, and that a failing batch affects no other. */
import { describe, expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Batcher } from '../../src/limits/batcher.ts';

function createBatcher(maxBatchSize = 3) {
  const batches: (readonly string[])[] = [];
  const calls: PromiseWithResolvers<void>[] = [];
  const batcher = new Batcher<string, string>(
    () => maxBatchSize,
    async (batch) => {
      batches.push(batch);
      const call = Promise.withResolvers<void>();
      calls.push(call);
      await call.promise;
      return batch.map((request) => request.toUpperCase());
    },
  );
  /** Waits for the given call, which starts after the event-loop turn in which the call before ended. */
  const call = async (index: number) => {
    for (let turn = 0; calls[index] === undefined && turn < 5; turn++) await nextTurn();
    return calls[index]!;
  };
  return { batcher, batches, call };
}

test('requests that are added in one go share a batch', async () => {
  const { batcher, batches, call } = createBatcher();
  const results = [batcher.add('a'), batcher.add('b')];
  expect(batches).toEqual([]);
  (await call(0)).resolve();
  expect(await Promise.all(results)).toEqual(['A', 'B']);
  expect(batches).toEqual([['a', 'b']]);
});

test('requests that arrive while a batch is in flight form the next batches, at most maxBatchSize each', async () => {
  const { batcher, batches, call } = createBatcher(3);
  const results = [batcher.add('a')];
  const first = await call(0);
  for (const request of ['b', 'c', 'd', 'e']) results.push(batcher.add(request));
  await nextTurn();
  expect(batches).toEqual([['a']]);
  first.resolve();
  (await call(1)).resolve();
  (await call(2)).resolve();
  expect(await Promise.all(results)).toEqual(['A', 'B', 'C', 'D', 'E']);
  expect(batches).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
});

describe('a batch that fails', () => {
  test('rejects its own requests; waiting and later requests are processed', async () => {
    const { batcher, call } = createBatcher();
    const failing = Promise.allSettled([batcher.add('a'), batcher.add('b')]);
    const first = await call(0);
    const waiting = batcher.add('c');
    first.reject(new Error('a defect'));
    expect(await failing).toEqual([
      { status: 'rejected', reason: new Error('a defect') },
      { status: 'rejected', reason: new Error('a defect') },
    ]);
    (await call(1)).resolve();
    expect(await waiting).toBe('C');
    const later = batcher.add('d');
    (await call(2)).resolve();
    expect(await later).toBe('D');
  });

  test('may also throw synchronously, or return too few results', async () => {
    let failure: 'throw' | 'too few' | undefined = 'throw';
    const batcher = new Batcher<string, string>(
      () => 3,
      (batch) => {
        if (failure === 'throw') throw new Error('a defect');
        return Promise.resolve(failure === 'too few' ? [] : batch);
      },
    );
    await expect(batcher.add('a')).rejects.toThrow('a defect');
    failure = 'too few';
    await expect(batcher.add('b')).rejects.toThrow('0 results for 1 requests');
    failure = undefined;
    expect(await batcher.add('c')).toBe('c');
  });
});
