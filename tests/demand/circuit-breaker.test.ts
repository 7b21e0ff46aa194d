/** The circuit breaker: when a partner is skipped, probed and called again. */
import { describe, expect, test } from '@jest/globals';
import {
  type BreakerSignal,
  CircuitBreaker,
  type CircuitState,
  maxConsecutiveFailures,
} from '../../src/demand/circuit-breaker.ts';

function create(maxFailures = 3, random = 0.5) {
  const states: CircuitState[] = [];
  const breaker = new CircuitBreaker(
    maxFailures,
    (state) => states.push(state),
    () => random,
  );
  const call = (signal: BreakerSignal, nowMs = 0) => breaker.record(breaker.begin(), signal, nowMs);
  return { breaker, states, call };
}

function opened(random?: number) {
  const parts = create(3, random);
  for (let i = 0; i < 3; i++) parts.call('failure');
  return parts;
}

describe('closed', () => {
  test('stays closed while calls succeed', () => {
    const { breaker, states, call } = create();
    for (let i = 0; i < 100; i++) call('success');
    expect(breaker.allows(0)).toBe(true);
    expect(states).toEqual([]);
  });

  test('opens after consecutive failures; a success resets their count', () => {
    const { breaker, states, call } = create();
    for (const signal of ['failure', 'failure', 'success', 'failure', 'failure'] as const) call(signal);
    expect(states).toEqual([]);
    call('failure');
    expect(states).toEqual(['open']);
    expect(breaker.allows(0)).toBe(false);
  });

  test('opens when half of the last twenty calls failed', () => {
    const { states, call } = create(100);
    for (let i = 0; i < 19; i++) call(i % 2 === 0 ? 'failure' : 'success');
    expect(states).toEqual([]);
    call('failure');
    expect(states).toEqual(['open']);
  });

  test('ignores calls without a signal', () => {
    const { states, call } = create();
    for (let i = 0; i < 100; i++) call('unknown');
    expect(states).toEqual([]);
  });
});

describe('open', () => {
  test.each([
    [0, 2_000],
    [1, 3_000],
  ])('is probed after two to three seconds: with %d as the random number, after %d ms', (random, probeAtMs) => {
    const { breaker } = opened(random);
    expect(breaker.allows(probeAtMs - 1)).toBe(false);
    expect(breaker.allows(probeAtMs)).toBe(true);
  });

  test('allows one probe at a time; checking does not start one', () => {
    const { breaker, states } = opened();
    for (let i = 0; i < 3; i++) expect(breaker.allows(3_000)).toBe(true);
    breaker.begin();
    expect(breaker.allows(3_000)).toBe(false);
    expect(states).toEqual(['open', 'half_open']);
  });

  test('closes after a successful probe and forgets earlier failures', () => {
    const { breaker, states, call } = opened();
    call('success', 3_000);
    expect(states).toEqual(['open', 'half_open', 'closed']);
    call('failure', 3_000);
    call('failure', 3_000);
    expect(breaker.allows(3_000)).toBe(true);
  });

  test('one failure after a successful probe does not open it again, though half of the calls before had failed', () => {
    const { breaker, states, call } = create(100);
    for (let i = 0; i < 20; i++) call(i % 2 === 0 ? 'success' : 'failure');
    call('success', 3_000);
    expect(states).toEqual(['open', 'half_open', 'closed']);
    call('failure', 3_000);
    expect(breaker.allows(3_000)).toBe(true);
  });

  test('stays open after a failed probe', () => {
    const { breaker, call } = opened();
    call('failure', 3_000);
    expect(breaker.allows(3_000)).toBe(false);
    expect(breaker.allows(6_000)).toBe(true);
  });

  test.each(['success', 'failure', 'unknown'] as const)(
    'is not decided by a call that started before it opened and ends with %s',
    (signal) => {
      const { breaker, states, call } = create();
      const early = breaker.begin();
      for (let i = 0; i < 3; i++) call('failure');
      const probe = breaker.begin();
      breaker.record(early, signal, 3_000);
      expect(states).toEqual(['open', 'half_open']);
      breaker.record(probe, 'success', 3_100);
      expect(states).toEqual(['open', 'half_open', 'closed']);
    },
  );

  test('lets the next call be the probe if the last one gave no signal', () => {
    const { breaker, call } = opened();
    call('unknown', 3_000);
    expect(breaker.allows(3_000)).toBe(true);
  });
});

test.each([1, 2, 4, 8, 12, 15])('%d workers together open after at most thirty consecutive failures', (workers) => {
  expect(maxConsecutiveFailures(workers) * workers).toBeLessThanOrEqual(30);
  expect(maxConsecutiveFailures(workers)).toBeGreaterThanOrEqual(2);
});

test.each([16, 32, 128])('one failure does not open the circuit, however many workers there are (%d)', (workers) => {
  expect(maxConsecutiveFailures(workers)).toBe(2);
});
