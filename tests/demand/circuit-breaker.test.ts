/** The breaker: when a partner is spared, probed and used again. */
import { describe, expect, test } from '@jest/globals';
import { CircuitBreaker, type CircuitState, failuresInARow } from '../../src/demand/circuit-breaker.ts';

type Ending = Parameters<CircuitBreaker['record']>[0];

function create(mostInARow = 3) {
  const states: CircuitState[] = [];
  const breaker = new CircuitBreaker(
    mostInARow,
    (state) => states.push(state),
    () => 0.5,
  );
  const call = (ending: Ending, nowMs = 0) => {
    breaker.begin();
    breaker.record(ending, nowMs);
  };
  return { breaker, states, call };
}

function opened() {
  const parts = create();
  for (let i = 0; i < 3; i++) parts.call('failure');
  return parts;
}

describe('closed', () => {
  test('it stays so while calls succeed', () => {
    const { breaker, states, call } = create();
    for (let i = 0; i < 100; i++) call('success');
    expect(breaker.admits(0)).toBe(true);
    expect(states).toEqual([]);
  });

  test('failures in a row open it, one success starts the row anew', () => {
    const { breaker, states, call } = create();
    for (const ending of ['failure', 'failure', 'success', 'failure', 'failure'] as const) call(ending);
    expect(states).toEqual([]);
    call('failure');
    expect(states).toEqual(['open']);
    expect(breaker.admits(0)).toBe(false);
  });

  test('half of the last twenty calls failing opens it', () => {
    const { states, call } = create(100);
    for (let i = 0; i < 19; i++) call(i % 2 === 0 ? 'failure' : 'success');
    expect(states).toEqual([]);
    call('failure');
    expect(states).toEqual(['open']);
  });

  test('calls of which nothing is known change nothing', () => {
    const { states, call } = create();
    for (let i = 0; i < 100; i++) call('unknown');
    expect(states).toEqual([]);
  });
});

describe('open', () => {
  test('it is probed after a while, well within five seconds', () => {
    const { breaker } = opened();
    expect(breaker.admits(1_999)).toBe(false);
    expect(breaker.admits(3_000)).toBe(true);
  });

  test('one probe at a time; whether one may be made can be asked without making it', () => {
    const { breaker, states } = opened();
    for (let i = 0; i < 3; i++) expect(breaker.admits(3_000)).toBe(true);
    breaker.begin();
    expect(breaker.admits(3_000)).toBe(false);
    expect(states).toEqual(['open', 'half_open']);
  });

  test('a probe that succeeds closes it, with a clean record', () => {
    const { breaker, states, call } = opened();
    call('success', 3_000);
    expect(states).toEqual(['open', 'half_open', 'closed']);
    call('failure', 3_000);
    call('failure', 3_000);
    expect(breaker.admits(3_000)).toBe(true);
  });

  test('a probe that fails opens it for another while', () => {
    const { breaker, call } = opened();
    call('failure', 3_000);
    expect(breaker.admits(3_000)).toBe(false);
    expect(breaker.admits(6_000)).toBe(true);
  });

  test('a probe of which nothing is known leaves the next call to be the probe', () => {
    const { breaker, call } = opened();
    call('unknown', 3_000);
    expect(breaker.admits(3_000)).toBe(true);
  });
});

test.each([1, 2, 4, 8, 12, 16, 24, 30])('%d workers fail no more than thirty times in a row together', (workers) => {
  expect(failuresInARow(workers) * workers).toBeLessThanOrEqual(30);
  expect(failuresInARow(workers)).toBeGreaterThanOrEqual(1);
});
