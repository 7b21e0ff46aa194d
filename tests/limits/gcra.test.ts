/** Properties of the token buckets that hold for every sequence of requests and every course of time. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BucketResolver } from '../../src/limits/bucket-refs.ts';
import { leaseEpochMicros } from '../../src/limits/bucket-state.ts';
import { GcraEngine, toResult } from '../../src/limits/gcra.ts';
import type { Limits, RateLimitKeys, RateLimitResult } from '../../src/limits/rate-limiter.ts';
import { anyKeys, anyLimits } from '../support/rate-limit-keys.ts';

const start = 1_794_700_000_000_000;
const keys: RateLimitKeys = { ip: '203.0.113.1', publisher: 'pub-1' };

/** An engine, and the limits by which the buckets of its requests are resolved. */
class Engine extends GcraEngine {
  readonly #resolver: BucketResolver;

  constructor(limits: Limits) {
    super();
    this.#resolver = new BucketResolver(limits);
  }

  decideKeys(keys: RateLimitKeys, nowMicros: number): RateLimitResult {
    const refs = this.#resolver.resolve(keys);
    return toResult(this.decide(refs, nowMicros), nowMicros, refs);
  }
}

const decide = (engine: Engine, keys: RateLimitKeys, nowMicros: number): RateLimitResult =>
  engine.decideKeys(keys, nowMicros);

/** Requests, each with the time since the one before in microseconds. */
const anySteps = fc.array(fc.tuple(anyKeys, fc.integer({ min: 0, max: 400_000 })), { minLength: 1, maxLength: 200 });

test('without refill, exactly as many requests are admitted as the tightest scope has tokens', () => {
  const engine = new Engine({ ip: 7, publisher: 5, global: 9 });
  const results = Array.from({ length: 20 }, () => decide(engine, keys, start));
  expect(results.map(({ admitted }) => admitted)).toEqual([...Array(5).fill(true), ...Array(15).fill(false)]);
  expect(results.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, ...Array(15).fill(0)]);
  expect(new Set(results.map(({ scope }) => scope))).toEqual(new Set(['publisher']));
});

test('a token refills after one emission interval, a full bucket after one second', () => {
  const engine = new Engine({ ip: 4, publisher: 100, global: 100 });
  for (let i = 0; i < 4; i++) decide(engine, keys, start);
  expect(decide(engine, keys, start + 249_999)).toMatchObject({
    admitted: false,
    scope: 'ip',
    resetAtMs: start / 1000 + 1000,
  });
  expect(decide(engine, keys, start + 250_000)).toMatchObject({ admitted: true, remaining: 0 });
  expect(decide(engine, keys, start + 3_000_000)).toMatchObject({ admitted: true, remaining: 3 });
});

test('a rejected request is charged to no scope', () => {
  const engine = new Engine({ ip: 1, publisher: 10, global: 10 });
  decide(engine, keys, start);
  for (let i = 0; i < 50; i++) expect(decide(engine, keys, start).admitted).toBe(false);
  const other = { ip: '203.0.113.2', publisher: 'pub-1' };
  expect(decide(engine, other, start)).toMatchObject({ admitted: true });
  expect(decide(engine, { ip: '203.0.113.3', publisher: 'pub-1' }, start)).toMatchObject({ admitted: true });
  const left = Array.from({ length: 10 }, (_, i) =>
    decide(engine, { ip: `198.51.100.${i}`, publisher: 'pub-1' }, start),
  );
  expect(left.filter(({ admitted }) => admitted)).toHaveLength(7);
});

test('no scope admits more than its burst plus its rate in any period', () => {
  fc.assert(
    fc.property(anyLimits, anySteps, (limits, steps) => {
      const engine = new Engine(limits);
      const admissions: { key: string; limit: number; at: number }[] = [];
      let now = start;
      for (const [keys, step] of steps) {
        now += step;
        if (!decide(engine, keys, now).admitted) continue;
        admissions.push({ key: 'global', limit: limits.global, at: now });
        admissions.push({ key: keys.ip, limit: limits.ip, at: now });
        if (keys.publisher) admissions.push({ key: keys.publisher, limit: limits.publisher, at: now });
      }
      for (const same of Map.groupBy(admissions, ({ key }) => key).values()) expectWithinRate(same);
    }),
  );
});

function expectWithinRate(admissions: { limit: number; at: number }[]): void {
  for (let first = 0; first < admissions.length; first++) {
    for (let last = first; last < admissions.length; last++) {
      const { limit, at } = admissions[last]!;
      const seconds = (at - admissions[first]!.at) / 1_000_000;
      expect(last - first + 1).toBeLessThanOrEqual(limit + limit * seconds + 1e-6);
    }
  }
}

test('the result reports the scope with the fewest tokens left, never below zero', () => {
  fc.assert(
    fc.property(anyLimits, anySteps, (limits, steps) => {
      const engine = new Engine(limits);
      let now = start;
      for (const [keys, step] of steps) {
        now += step;
        const result = decide(engine, keys, now);
        expect(result.remaining).toBeGreaterThanOrEqual(0);
        expect(result.limit).toBe(limits[result.scope]);
        expect(result.resetAtMs * 1000).toBeGreaterThanOrEqual(now);
        if (!keys.publisher) expect(result.scope).not.toBe('publisher');
        if (!result.admitted) expect(result.remaining).toBe(0);
      }
    }),
  );
});

test('a clock that is set back an hour costs at most the time to fill the bucket', () => {
  const engine = new Engine({ ip: 2, publisher: 10, global: 10 });
  decide(engine, keys, start);
  const earlier = start - 3_600_000_000;
  expect(decide(engine, keys, earlier).admitted).toBe(false);
  expect(decide(engine, keys, earlier + 499_999).admitted).toBe(false);
  expect(decide(engine, keys, earlier + 500_000).admitted).toBe(true);
});

test('a sweep removes full buckets and keeps the others', () => {
  const engine = new Engine({ ip: 10, publisher: 10, global: 10 });
  decide(engine, keys, start);
  engine.sweep(start + 50_000);
  expect(engine.size).toBe(3);
  engine.sweep(start + 100_000);
  expect(engine.size).toBe(0);
});

test('a sweep keeps a full bucket until its leases are over', () => {
  const engine = new GcraEngine();
  const lease = { names: ['g'], limits: [200], requests: [], leases: [1, 0, 0, 0, 7] };
  expect(engine.decideAll(lease, start).grants).toEqual([7, 35_000]);
  engine.sweep(start + leaseEpochMicros);
  expect(engine.size).toBe(1);
  engine.sweep(start + 10 * leaseEpochMicros);
  expect(engine.size).toBe(0);
});

test('a limit that does not divide a million is enforced slightly below, never above', () => {
  const limits: Limits = { ip: 7, publisher: 100, global: 100 };
  const engine = new Engine(limits);
  let admitted = 0;
  for (let now = start; now < start + 10_000_000; now += 1_000) if (decide(engine, keys, now).admitted) admitted++;
  expect(admitted).toBeGreaterThanOrEqual(76);
  expect(admitted).toBeLessThanOrEqual(77);
});

describe('a share of the global limit that is reserved', () => {
  const limits: Limits = { ip: 100, publisher: 100, global: 10, reservedShare: 0.3 };
  const reserved: RateLimitKeys = { ip: '198.51.100.1', publisher: 'pub-2', overrides: { reserved: true } };

  test('other publishers cannot use it up; their rejection is of the global scope', () => {
    const engine = new Engine(limits);
    const results = Array.from({ length: 8 }, () => decide(engine, keys, start));
    expect(results.filter(({ admitted }) => admitted)).toHaveLength(7);
    expect(results[7]).toMatchObject({ admitted: false, scope: 'global', limit: 7, remaining: 0 });
    for (let i = 0; i < 3; i++) expect(decide(engine, reserved, start).admitted).toBe(true);
    expect(decide(engine, reserved, start)).toMatchObject({ admitted: false, scope: 'global', limit: 10 });
  });

  test('its publishers may use the whole limit, and then the others get nothing', () => {
    const engine = new Engine(limits);
    for (let i = 0; i < 10; i++) expect(decide(engine, reserved, start).admitted).toBe(true);
    expect(decide(engine, keys, start)).toMatchObject({ admitted: false, scope: 'global', limit: 10 });
  });
});

test('own limits: the bucket has as many tokens as its own limit, and an exempt address is not limited', () => {
  const engine = new Engine({ ip: 2, publisher: 3, global: 100 });
  const admittedOf = (overrides: RateLimitKeys['overrides'], ip: string) =>
    Array.from({ length: 20 }, () =>
      decide(engine, { ip, publisher: undefined, ...(overrides && { overrides }) }, start),
    ).filter(({ admitted }) => admitted).length;
  expect(admittedOf(undefined, 'a')).toBe(2);
  expect(admittedOf({ ip: 5 }, 'b')).toBe(5);
  expect(admittedOf({ ip: 'exempt' }, 'c')).toBe(20);
});
