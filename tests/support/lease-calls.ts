/** Calls of the shared buckets that charge requests, and grant, close and settle leases. */
import fc from 'fast-check';
import { anyKeys, anyKeysWithOwn } from './rate-limit-keys.ts';

const keys = { ip: '203.0.113.1', publisher: 'pub-1' };
/** More than the bucket of an address has. */
const manyRequests = Array.from({ length: 25 }, () => keys);

const anyClose = fc.record({
  /** Which of the leases granted so far; it may be closed twice. */
  lease: fc.nat(20),
  unspentPart: fc.constantFrom(0, 0.5, 1, 2),
});

export const anyLeaseCall = fc.record({
  requests: fc.oneof(fc.array(fc.oneof(anyKeys, anyKeysWithOwn), { maxLength: 40 }), fc.constant(manyRequests)),
  wanted: fc.array(fc.tuple(fc.oneof(anyKeys, anyKeysWithOwn), fc.nat(5)), { maxLength: 4 }),
  closes: fc.array(anyClose, { maxLength: 4 }),
  sleepMs: fc.constantFrom(0, 0, 0, 40, 105, 210),
  pendingRequests: fc.constantFrom(0, 0, 1, 10),
  /** Pending charges to settle, right or wrong. */
  settled: fc.array(fc.record({ keys: anyKeys, epochsAgo: fc.nat(2), tokens: fc.nat(6), refunded: fc.nat(6) }), {
    maxLength: 4,
  }),
});

type LeaseCall = typeof anyLeaseCall extends fc.Arbitrary<infer Call> ? Call : never;

const idle: LeaseCall = { requests: [], wanted: [], closes: [], sleepMs: 0, pendingRequests: 0, settled: [] };

/** A request finds the bucket of its address empty while tokens of it are on lease. */
export const undecidedCalls: LeaseCall[] = [
  { ...idle, wanted: [[keys, 5]] },
  { ...idle, requests: manyRequests },
];
