/** Buckets in the primary, called by workers: responses are matched by id, and a silent primary is unavailable. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { BucketsUnavailable, isRejection } from '../../src/limits/buckets.ts';
import { type BucketRequest, EmbeddedBucketClient, EmbeddedBucketServer } from '../../src/limits/embedded-buckets.ts';

const limits = { ip: 2, publisher: 10, global: 10 };
const keys = { ip: '203.0.113.1', publisher: undefined };

afterEach(() => void jest.useRealTimers());

test('all workers share the buckets of the primary', async () => {
  const server = new EmbeddedBucketServer(limits, () => 1_794_700_000_000_000);
  const workers = Array.from({ length: 3 }, () => {
    const client: EmbeddedBucketClient = new EmbeddedBucketClient((request) =>
      setImmediate(() => client.receive(server.handle(structuredClone(request)))),
    );
    return client;
  });
  const batches = await Promise.all(workers.map((client) => client.decideAll([keys])));
  expect(batches.map(({ decisions }) => isRejection(decisions[0]!))).toEqual([false, false, true]);
});

test('responses may arrive in any order', async () => {
  const server = new EmbeddedBucketServer(limits, () => 1_794_700_000_000_000);
  const requests: BucketRequest[] = [];
  const client = new EmbeddedBucketClient((request) => requests.push(request));
  const results = [client.decideAll([keys]), client.decideAll([keys, keys])];
  for (const request of requests.toReversed()) client.receive(server.handle(request));
  expect((await Promise.all(results)).map(({ decisions }) => decisions.length)).toEqual([1, 2]);
});

test('a publisher id of any length reaches the primary with at most 64 characters, and has one bucket', async () => {
  const server = new EmbeddedBucketServer({ ...limits, publisher: 1 }, () => 1_794_700_000_000_000);
  const requests: BucketRequest[] = [];
  const client = new EmbeddedBucketClient((request) => requests.push(request));
  const publishers = ['p'.repeat(200_000), 'p'.repeat(200_000), 'p'.repeat(64), 'q'.repeat(65)];
  const result = client.decideAll(publishers.map((publisher, at) => ({ ip: `203.0.113.${at}`, publisher })));
  expect(Math.max(...requests[0]!.batch.map(({ publisher }) => publisher!.length))).toBe(64);
  client.receive(server.handle(requests[0]!));
  expect((await result).decisions.map(isRejection)).toEqual([false, true, false, false]);
});

test('without a response in time the buckets are unavailable, and a late response is ignored', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  const server = new EmbeddedBucketServer(limits, () => 1_794_700_000_000_000);
  const requests: BucketRequest[] = [];
  const client = new EmbeddedBucketClient((request) => requests.push(request));
  const failed = expect(client.decideAll([keys])).rejects.toThrow(BucketsUnavailable);
  await jest.advanceTimersByTimeAsync(1_000);
  await failed;
  client.receive(server.handle(requests[0]!));
  const next = client.decideAll([keys]);
  client.receive(server.handle(requests[1]!));
  expect((await next).decisions).toHaveLength(1);
});

test('without a primary the buckets are unavailable', async () => {
  const client = new EmbeddedBucketClient(() => {
    throw new Error('channel closed');
  });
  const error = await client.decideAll([keys]).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BucketsUnavailable);
  expect((error as Error).cause).toEqual(new Error('channel closed'));
  await expect(client.probe()).rejects.toThrow(BucketsUnavailable);
});
