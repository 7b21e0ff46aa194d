/** What protects a partner: every real call counts once, what a caller could not wait for does not count. */
import { describe, expect, test } from '@jest/globals';
import { withCache } from '../../src/demand/response-cache.ts';
import { CircuitBreaker, type CircuitState } from '../../src/demand/circuit-breaker.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';
import { withProtection } from '../../src/demand/protect.ts';
import { QpsLimiter } from '../../src/demand/qps-limiter.ts';
import { callOf, FakeAsk } from '../auction/fake-call-partner.ts';

function create(maxQps?: number) {
  const fake = new FakeAsk();
  const clock = { nowMs: 10_000 };
  const states: CircuitState[] = [];
  const nowMs = () => clock.nowMs;
  const protectedAsk = withProtection(fake.ask, {
    breaker: new CircuitBreaker(3, (state) => states.push(state)),
    gate: maxQps === undefined ? undefined : new QpsLimiter(maxQps, 1, 0),
    fairMs: 250,
    nowMs,
  });
  const ask = (url = '/a', isTest = false, through = protectedAsk) => {
    const told: PartnerResult[] = [];
    return { told, abort: through(callOf(url), (ending) => told.push(ending), isTest) };
  };
  return { fake, clock, states, ask, cached: withCache(protectedAsk, { cacheMs: 60_000, cacheSize: 10 }, nowMs) };
}

const failThree = ({ fake, ask }: ReturnType<typeof create>, isTest = false) => {
  for (let i = 0; i < 3; i++) {
    ask('/a', isTest);
    fake.calls.at(-1)!.answer('error');
  }
};

test('a partner that keeps failing is skipped', () => {
  const parts = create();
  failThree(parts);
  expect(parts.ask().told).toEqual(['skipped']);
  expect(parts.fake.calls).toHaveLength(3);
});

test('answers that cannot be used are a sign of life', () => {
  const { fake, states, ask } = create();
  for (let i = 0; i < 10; i++) {
    ask();
    fake.calls.at(-1)!.answer('invalid');
  }
  expect(states).toEqual([]);
});

describe('a call that is given up', () => {
  test.each([
    [249, []],
    [250, ['open']],
  ])('after %d ms', (tookMs, expected) => {
    const { clock, states, ask } = create();
    for (let i = 0; i < 3; i++) {
      const { abort } = ask();
      clock.nowMs += tookMs;
      abort();
    }
    expect(states).toEqual(expected);
  });
});

test('test calls tell the breaker nothing, and are held back by it', () => {
  const parts = create();
  failThree(parts, true);
  expect(parts.states).toEqual([]);
  failThree(parts);
  expect(parts.ask('/a', true).told).toEqual(['skipped']);
});

test('calls beyond the rate are skipped, each call counting', () => {
  const { fake, clock, ask } = create(2);
  ask('/a');
  ask('/b');
  expect(ask('/c').told).toEqual(['skipped']);
  clock.nowMs += 500;
  expect(ask('/c').told).toEqual([]);
  expect(fake.calls).toHaveLength(3);
});

test('a shared call that fails counts once, whoever waits for it', () => {
  const { fake, states, ask, cached } = create();
  for (let i = 0; i < 12; i++) ask('/a', false, cached);
  fake.calls[0]!.answer('error');
  expect(fake.calls).toHaveLength(1);
  expect(states).toEqual([]);
});

test('what is in the cache needs no permission, and uses up no probe', () => {
  const parts = create();
  const { fake, clock, states, ask, cached } = parts;
  ask('/kept', false, cached);
  fake.calls[0]!.answer('bid', { products: [] });
  failThree(parts);
  clock.nowMs += 5_000;
  expect(ask('/kept', false, cached).told).toEqual(['bid']);
  expect(states).toEqual(['open']);
  ask('/other', false, cached);
  fake.calls.at(-1)!.answer('bid', { products: [] });
  expect(states).toEqual(['open', 'half_open', 'closed']);
});

test('a call that hangs is not joined for ever', () => {
  const { fake, clock, ask, cached } = create();
  ask('/a', false, cached);
  clock.nowMs += 99;
  ask('/a', false, cached);
  expect(fake.calls).toHaveLength(1);
  clock.nowMs += 1;
  const late = ask('/a', false, cached);
  expect(fake.calls).toHaveLength(2);
  fake.calls[1]!.answer('bid', { products: [] });
  expect(late.told).toEqual(['bid']);
});
