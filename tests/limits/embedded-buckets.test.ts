/** Buckets in the primary, called by workers: responses are matched by id, and a silent primary is unavailable. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { BucketsUnavailable, isRejection } from '../../src/limits/buckets.ts';
import { batchOf } from '../support/bucket-batch.ts';
import { type BucketRequest, EmbeddedBucketClient, EmbeddedBucketServer } from '../../src/limits/embedded-buckets.ts';

const limits = { ip: 2, publisher: 10, global: 10 };
const keys = { ip: '203.0.113.1', publisher: undefined };

afterEach(() => void jest.useRealTimers());

test('all workers share the buckets of the primary', async () => {
  const server = new EmbeddedBucketServer(() => 1_794_700_000_000_000);
  const workers = Array.from({ length: 3 }, () => {
    const client: EmbeddedBucketClient = new EmbeddedBucketClient((request) =>
      setImmediate(() => client.receive(server.handle(structuredClone(request)))),
    );
    return client;
  });
  const batches = await Promise.all(workers.map((client) => client.decideAll(batchOf([keys], limits))));
  expect(batches.map(({ decisions }) => isRejection(decisions[0]!))).toEqual([false, false, true]);
});

test('responses may arrive in any order', async () => {
  const server = new EmbeddedBucketServer(() => 1_794_700_000_000_000);
  const requests: BucketRequest[] = [];
  const client = new EmbeddedBucketClient((request) => requests.push(request));
  const results = [client.decideAll(batchOf([keys], limits)), client.decideAll(batchOf([keys, keys], limits))];
  for (const request of requests.toReversed()) client.receive(server.handle(request));
  expect((await Promise.all(results)).map(({ decisions }) => decisions.length)).toEqual([1, 2]);
});

test('without a response in time the buckets are unavailable, and a late response is ignored', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  const server = new EmbeddedBucketServer(() => 1_794_700_000_000_000);
  const requests: BucketRequest[] = [];
  const client = new EmbeddedBucketClient((request) => requests.push(request));
  const failed = expect(client.decideAll(batchOf([keys], limits))).rejects.toThrow(BucketsUnavailable);
  await jest.advanceTimersByTimeAsync(1_000);
  await failed;
  client.receive(server.handle(requests[0]!));
  const next = client.decideAll(batchOf([keys], limits));
  client.receive(server.handle(requests[1]!));
  expect((await next).decisions).toHaveLength(1);
});

test('without a primary the buckets are unavailable', async () => {
  const client = new EmbeddedBucketClient(() => {
    throw new Error('channel closed');
  });
  const error = await client.decideAll(batchOf([keys], limits)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BucketsUnavailable);
  expect((error as Error).cause).toEqual(new Error('channel closed'));
  await expect(client.probe()).rejects.toThrow(BucketsUnavailable);
});

test('a call is kept only until it ends: with a response, without one in time, or because it was not sent', async () => {
  const server = new EmbeddedBucketServer(() => 1_794_700_000_000_000);
  let respond = (request: BucketRequest) => client.receive(server.handle(request));
  const client: EmbeddedBucketClient = new EmbeddedBucketClient((request) => respond(request));
  const batch = batchOf([keys], limits);
  await client.decideAll(batch);
  expect(client.size).toBe(0);
  respond = () => {};
  const timedOut = client.decideAll(batch, 1);
  expect(client.size).toBe(1);
  await expect(timedOut).rejects.toThrow(BucketsUnavailable);
  expect(client.size).toBe(0);
  respond = () => {
    throw new Error('channel closed');
  };
  await expect(client.decideAll(batch)).rejects.toThrow(BucketsUnavailable);
  expect(client.size).toBe(0);
});
