/** The bounds of the leases of a worker: callers choose the names of buckets, so their number is limited. */
import { expect, test } from '@jest/globals';
import { BatchBuilder } from '../../src/limits/batch-builder.ts';
import type { BucketRef } from '../../src/limits/bucket-refs.ts';
import { leaseEpochMicros } from '../../src/limits/bucket-state.ts';
import { LeaseBook } from '../../src/limits/lease-book.ts';

const windowMs = leaseEpochMicros / 1000;
const startMs = 1_794_700_000_000;

const refsOf = (count: number): BucketRef[] =>
  Array.from({ length: count }, (_, at) => ({ kind: 'publisher', name: `p:${at}`, limit: 100 }));

/** A book in which every bucket was used in two windows, so that each of those it counts is in demand. */
function inDemand(refs: readonly BucketRef[]) {
  const book = new LeaseBook();
  const nowMs = startMs + windowMs;
  for (const atMs of [startMs, nowMs]) for (const ref of refs) book.countAndSpend([ref], atMs);
  const plan = (some: readonly BucketRef[], atMs = nowMs) =>
    book.plan(
      new BatchBuilder(1_000),
      some.map((ref) => [ref]),
      atMs,
      true,
    );
  return { book, nowMs, plan };
}

test('10,000 buckets are counted; those beyond get no lease', () => {
  const refs = refsOf(10_001);
  const { plan } = inDemand(refs);
  expect(plan(refs.slice(-2)).map(({ ref }) => ref.name)).toEqual(['p:9999']);
});

test('a bucket that was not counted is counted when others are no longer used', () => {
  const refs = refsOf(10_001);
  const { book, nowMs, plan } = inDemand(refs);
  const last = refs.slice(-1);
  plan([], nowMs + 2 * windowMs);
  for (const windows of [2, 3]) book.countAndSpend(last, nowMs + windows * windowMs);
  expect(plan(last, nowMs + 3 * windowMs)).toHaveLength(1);
});

test('a call requests, renews and returns at most 256 leases; the next call has the others', () => {
  const refs = refsOf(300);
  const { book, nowMs, plan } = inDemand(refs);
  for (const count of [256, 44]) {
    const call = plan(refs);
    expect(call).toHaveLength(count);
    book.install(call, { nowMicros: nowMs * 1000, decisions: [], grants: call.flatMap(() => [1, 10_000]) }, nowMs);
  }
  expect(book.size).toBe(300);
  const dueMs = book.nextDueMs!;
  expect([plan([], dueMs), plan([], dueMs)].map(({ length }) => length)).toEqual([256, 44]);
  expect(book.size).toBe(0);
});
