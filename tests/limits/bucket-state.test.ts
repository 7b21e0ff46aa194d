/** A bucket with leases and pending charges whose holders do what they may at the worst moment: spend late, close late, twice, or never. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { epochAt, gcraParams, leaseEpochMicros, OpenBucket, type StoredBucket } from '../../src/limits/bucket-state.ts';
import { overdraft } from '../support/lease-simulation.ts';
import { numRuns } from '../support/num-runs.ts';

const start = 1_794_700_000_000_000;

class Bucket {
  readonly limit: number;
  stored: StoredBucket | undefined;
  readonly admissions: { name: string; limit: number; atMicros: number }[] = [];
  /** Pending charges that are not settled. */
  readonly pending: { epoch: number; atMicros: number; tokens: number }[] = [];
  readonly leases: { epoch: number; taken: number; unspent: number }[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  use<T>(nowMicros: number, use: (bucket: OpenBucket) => T): T {
    const bucket = new OpenBucket(this.stored, gcraParams(this.limit), nowMicros);
    const result = use(bucket);
    if (bucket.isChanged) this.stored = bucket.toStored();
    return result;
  }

  admit(nowMicros: number, requests: number): void {
    this.use(nowMicros, (bucket) => {
      const admitted = Math.min(requests, bucket.remaining);
      bucket.take(admitted);
      this.#record(admitted, nowMicros);
    });
  }

  lease(nowMicros: number, wanted: number): void {
    const taken = this.use(nowMicros, (bucket) => bucket.grantLease(wanted));
    this.leases.push({ epoch: epochAt(nowMicros), taken, unspent: taken });
  }

  charge(nowMicros: number, requests: number): void {
    const tokens = this.use(nowMicros, (bucket) => {
      const admitted = Math.min(requests, bucket.remaining);
      for (let i = 0; i < admitted; i++) bucket.takePending();
      return admitted;
    });
    this.pending.push({ epoch: epochAt(nowMicros), atMicros: nowMicros, tokens });
  }

  /** The requests that are not refunded count as admitted when they were charged. */
  settle(nowMicros: number, at: number, refunded: number): void {
    const [charge] = this.pending.splice(at % this.pending.length, 1);
    if (!charge) return;
    const { epoch, tokens, atMicros } = charge;
    this.use(nowMicros, (bucket) => bucket.settlePending(epoch, tokens, Math.min(refunded, tokens)));
    this.#record(tokens - Math.min(refunded, tokens), atMicros);
  }

  /** As the holders of pending charges that crash after their requests were admitted. */
  abandonPending(): void {
    for (const { tokens, atMicros } of this.pending.splice(0)) this.#record(tokens, atMicros);
  }

  /** Until the end of the epoch after the one in which it was granted. */
  spend(nowMicros: number, at: number, tokens: number): void {
    const lease = this.leases[at % this.leases.length];
    if (!lease || nowMicros >= (lease.epoch + 2) * leaseEpochMicros) return;
    const spent = Math.min(tokens, lease.unspent);
    lease.unspent -= spent;
    this.#record(spent, nowMicros);
  }

  /** The holder keeps no token; it may report this more than once. */
  close(nowMicros: number, at: number): void {
    const lease = this.leases[at % this.leases.length];
    if (!lease) return;
    this.use(nowMicros, (bucket) => bucket.closeLease(lease.epoch, lease.taken, lease.unspent));
    this.leases.splice(this.leases.indexOf(lease), 1);
  }

  #record(tokens: number, atMicros: number): void {
    for (let i = 0; i < tokens; i++) this.admissions.push({ name: 'bucket', limit: this.limit, atMicros });
  }
}

const anyStep = fc.record({
  action: fc.constantFrom('admit', 'lease', 'spend', 'close', 'charge', 'settle', 'abandon'),
  at: fc.nat(5),
  tokens: fc.constantFrom(1, 2, 5, 50),
  /** The end of an epoch is of interest: the last microsecond of a lease. */
  time: fc.oneof(fc.integer({ min: 0, max: 120_000 }), fc.constantFrom('lastOfEpoch' as const, 'nextEpoch' as const)),
});

function advance(nowMicros: number, time: number | 'lastOfEpoch' | 'nextEpoch'): number {
  if (typeof time === 'number') return nowMicros + time;
  const next = (epochAt(nowMicros) + 1) * leaseEpochMicros;
  return time === 'nextEpoch' ? next : Math.max(nowMicros, next - 1);
}

test('property: the bucket is not overdrawn in any period', () => {
  fc.assert(
    fc.property(fc.constantFrom(20, 50, 100), fc.array(anyStep, { maxLength: 60 }), (limit, steps) => {
      const bucket = new Bucket(limit);
      let nowMicros = start;
      for (const { action, at, tokens, time } of steps) {
        nowMicros = advance(nowMicros, time);
        if (action === 'admit') bucket.admit(nowMicros, tokens);
        else if (action === 'lease') bucket.lease(nowMicros, Math.min(tokens, 5));
        else if (action === 'spend') bucket.spend(nowMicros, at, tokens);
        else if (action === 'close') bucket.close(nowMicros, at);
        else if (action === 'charge') bucket.charge(nowMicros, tokens);
        else if (action === 'settle') bucket.settle(nowMicros, at, tokens);
        else bucket.abandonPending();
      }
      bucket.abandonPending();
      expect(overdraft(bucket.admissions)).toBeLessThanOrEqual(1e-6);
    }),
    { numRuns: numRuns(5_000) },
  );
});

describe('a lease of ten tokens of a hundred', () => {
  const end = (epochAt(start) + 2) * leaseEpochMicros;
  function withLease(): Bucket {
    const bucket = new Bucket(100);
    bucket.lease(start, 10);
    return bucket;
  }
  const remainingAt = (bucket: Bucket, nowMicros: number) => bucket.use(nowMicros, ({ remaining }) => remaining);

  test('that is spent in its last microsecond by a holder that then crashes: the bucket refills from then on', () => {
    const bucket = withLease();
    bucket.spend(end - 1, 0, 10);
    expect(remainingAt(bucket, end)).toBe(90);
    bucket.admit(end, 100);
    expect(bucket.admissions).toHaveLength(100);
  });

  test('that is spent in its last microsecond, in a bucket that others used meanwhile: nor is that overdrawn', () => {
    const bucket = withLease();
    bucket.admit(end - leaseEpochMicros, 1);
    bucket.spend(end - 1, 0, 10);
    bucket.admit(end, 100);
    expect(overdraft(bucket.admissions)).toBeLessThanOrEqual(1e-6);
  });

  test('of which part is returned in time: only what was spent is missing', () => {
    const bucket = withLease();
    bucket.spend(start, 0, 4);
    bucket.close(start + 10_000, 0);
    expect(remainingAt(bucket, start + 10_000)).toBe(96);
  });

  test('that is returned when it has ended returns nothing', () => {
    const bucket = withLease();
    bucket.close(end, 0);
    expect(remainingAt(bucket, end)).toBe(90);
  });

  test('is returned once, however often', () => {
    const bucket = withLease();
    bucket.admit(start, 50);
    const lease = { ...bucket.leases[0]! };
    bucket.close(start, 0);
    bucket.leases.push(lease);
    bucket.close(start, 0);
    expect(remainingAt(bucket, start)).toBe(50);
  });
});

describe('ten pending charges to a bucket of a hundred tokens', () => {
  const interval = 10_000;
  function withPending(): Bucket {
    const bucket = new Bucket(100);
    bucket.charge(start, 10);
    return bucket;
  }
  const fullIn = (bucket: Bucket, nowMicros: number) => bucket.use(nowMicros, ({ fullInMicros }) => fullInMicros);

  test('that are kept: the bucket is as after exact charges, less the refill until then', () => {
    const bucket = withPending();
    bucket.settle(start + 1_000, 0, 0);
    expect(fullIn(bucket, start + 1_000)).toBe(10 * interval);
  });

  test('that are refunded: the bucket is full, not fuller', () => {
    const bucket = withPending();
    bucket.settle(start + 1_000, 0, 10);
    expect(fullIn(bucket, start + 1_000)).toBe(0);
  });

  test('that are refunded to a bucket in use: it is exactly as without them', () => {
    const bucket = new Bucket(100);
    const exact = new Bucket(100);
    for (const one of [bucket, exact]) one.admit(start, 50);
    bucket.charge(start, 50);
    bucket.settle(start + 1_000, 0, 50);
    expect(bucket.stored!.tat).toBe(exact.stored!.tat);
  });

  test('that are refunded after the end of the next epoch stay charged', () => {
    const bucket = withPending();
    bucket.settle(start + 2 * leaseEpochMicros, 0, 10);
    expect(fullIn(bucket, start + 2 * leaseEpochMicros)).toBeGreaterThan(0);
  });

  test('are no leases: they are not closed as such, and leases are not settled as charges', () => {
    const bucket = withPending();
    bucket.lease(start, 0);
    bucket.use(start, (open) => open.closeLease(epochAt(start), 10, 10));
    expect(fullIn(bucket, start)).toBe(10 * interval);
    expect(bucket.use(start, ({ hasLeases }) => hasLeases)).toBe(false);
    bucket.settle(start, 0, 0);
    bucket.lease(start, 5);
    bucket.use(start, (open) => open.settlePending(epochAt(start), 5, 5));
    expect(bucket.use(start, ({ hasLeases }) => hasLeases)).toBe(true);
    expect(fullIn(bucket, start)).toBe(15 * interval);
  });
});

test.each([
  { wanted: 10, remaining: 100, granted: 10, why: 'all that is wanted' },
  { wanted: 12, remaining: 100, granted: 10, why: 'at most a tenth of the bucket' },
  { wanted: 10, remaining: 70, granted: 10, why: 'half of what is above the middle' },
  { wanted: 10, remaining: 69, granted: 0, why: 'less than that' },
  { wanted: 1, remaining: 51, granted: 0, why: 'near the middle' },
  { wanted: 1, remaining: 50, granted: 0, why: 'half full' },
  { wanted: 1, remaining: 0, granted: 0, why: 'empty' },
  { wanted: 0, remaining: 100, granted: 0, why: 'nothing wanted' },
])(
  '$wanted tokens wanted of a bucket of 100 with $remaining left: $granted, $why',
  ({ wanted, remaining, granted }) => {
    const bucket = new Bucket(100);
    bucket.admit(start, 100 - remaining);
    expect(bucket.use(start, (open) => open.grantLease(wanted))).toBe(granted);
  },
);

test('a bucket of fewer than ten tokens grants no lease', () => {
  expect(new Bucket(9).use(start, (bucket) => bucket.grantLease(1))).toBe(0);
});
