/** The token buckets as such: what holds for every sequence of requests and every course of time. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GcraEngine } from '../../src/limits/gcra-engine.ts';
import { isRefusal, toVerdict } from '../../src/limits/decision.ts';
import type { RateLimitKeys, Limits, RateLimitResult } from '../../src/limits/rate-limiter.ts';
import { anyClaim, anyLimits } from '../support/rate-limit-keys.ts';

const start = 1_794_700_000_000_000;
const claim: RateLimitKeys = { ip: '203.0.113.1', publisher: 'pub-1' };

const ask = (engine: GcraEngine, one: RateLimitKeys, now: number): RateLimitResult =>
  toVerdict(engine.decide(one, now), now, engine.paces);

/** Steps of time between requests, in microseconds. */
const anySteps = fc.array(fc.tuple(anyClaim, fc.integer({ min: 0, max: 400_000 })), { minLength: 1, maxLength: 200 });

test('with the clock standing still exactly the tokens of the tightest scope are given out', () => {
  const engine = new GcraEngine({ ip: 7, publisher: 5, global: 9 });
  const verdicts = Array.from({ length: 20 }, () => ask(engine, claim, start));
  expect(verdicts.map(({ admitted }) => admitted)).toEqual([...Array(5).fill(true), ...Array(15).fill(false)]);
  expect(verdicts.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, ...Array(15).fill(0)]);
  expect(new Set(verdicts.map(({ scope }) => scope))).toEqual(new Set(['publisher']));
});

test('a token comes back after one interval, and a whole bucket after a second', () => {
  const engine = new GcraEngine({ ip: 4, publisher: 100, global: 100 });
  for (let i = 0; i < 4; i++) ask(engine, claim, start);
  expect(ask(engine, claim, start + 249_999)).toMatchObject({
    admitted: false,
    scope: 'ip',
    resetAtMs: start / 1000 + 1000,
  });
  expect(ask(engine, claim, start + 250_000)).toMatchObject({ admitted: true, remaining: 0 });
  expect(ask(engine, claim, start + 3_000_000)).toMatchObject({ admitted: true, remaining: 3 });
});

test('a refusal charges nothing anywhere', () => {
  const engine = new GcraEngine({ ip: 1, publisher: 10, global: 10 });
  ask(engine, claim, start);
  for (let i = 0; i < 50; i++) expect(ask(engine, claim, start).admitted).toBe(false);
  const other = { ip: '203.0.113.2', publisher: 'pub-1' };
  expect(ask(engine, other, start)).toMatchObject({ admitted: true });
  expect(ask(engine, { ip: '203.0.113.3', publisher: 'pub-1' }, start)).toMatchObject({ admitted: true });
  const left = Array.from({ length: 10 }, (_, i) => ask(engine, { ip: `198.51.100.${i}`, publisher: 'pub-1' }, start));
  expect(left.filter(({ admitted }) => admitted)).toHaveLength(7);
});

test('in every stretch of time no scope admits more than its capacity and its rate', () => {
  fc.assert(
    fc.property(anyLimits, anySteps, (limits, steps) => {
      const engine = new GcraEngine(limits);
      const admissions: { key: string; limit: number; at: number }[] = [];
      let now = start;
      for (const [one, step] of steps) {
        now += step;
        if (isRefusal(engine.decide(one, now))) continue;
        admissions.push({ key: 'global', limit: limits.global, at: now });
        admissions.push({ key: one.ip, limit: limits.ip, at: now });
        if (one.publisher) admissions.push({ key: one.publisher, limit: limits.publisher, at: now });
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

test('what is reported is the scope with least left, ties to the narrower, and never below zero', () => {
  fc.assert(
    fc.property(anyLimits, anySteps, (limits, steps) => {
      const engine = new GcraEngine(limits);
      let now = start;
      for (const [one, step] of steps) {
        now += step;
        const verdict = ask(engine, one, now);
        expect(verdict.remaining).toBeGreaterThanOrEqual(0);
        expect(verdict.limit).toBe(limits[verdict.scope]);
        expect(verdict.resetAtMs * 1000).toBeGreaterThanOrEqual(now);
        if (!one.publisher) expect(verdict.scope).not.toBe('publisher');
        if (!verdict.admitted) expect(verdict.remaining).toBe(0);
      }
    }),
  );
});

test('a clock that steps back an hour costs one window at most', () => {
  const engine = new GcraEngine({ ip: 2, publisher: 10, global: 10 });
  ask(engine, claim, start);
  const earlier = start - 3_600_000_000;
  expect(ask(engine, claim, earlier).admitted).toBe(false);
  expect(ask(engine, claim, earlier + 499_999).admitted).toBe(false);
  expect(ask(engine, claim, earlier + 500_000).admitted).toBe(true);
});

test('full buckets are forgotten, others are not', () => {
  const engine = new GcraEngine({ ip: 10, publisher: 10, global: 10 });
  ask(engine, claim, start);
  engine.sweep(start + 50_000);
  expect(engine.size).toBe(3);
  engine.sweep(start + 100_000);
  expect(engine.size).toBe(0);
});

test('a limit that does not divide a million is kept from below', () => {
  const limits: Limits = { ip: 7, publisher: 100, global: 100 };
  const engine = new GcraEngine(limits);
  let admitted = 0;
  for (let now = start; now < start + 10_000_000; now += 1_000) if (ask(engine, claim, now).admitted) admitted++;
  expect(admitted).toBeGreaterThanOrEqual(76);
  expect(admitted).toBeLessThanOrEqual(77);
});
