/** A call that outlives its auction: the auction has its result at once, and the response time is learned all the same. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PartnerResponse } from '../../src/demand/call-partner.ts';
import { Cancellation } from '../../src/demand/cancellation.ts';
import { CircuitBreaker, type CircuitState } from '../../src/demand/circuit-breaker.ts';
import { outlivingAuctions, withResponseTimes } from '../../src/demand/observe-calls.ts';
import { withProtection } from '../../src/demand/protect.ts';
import { ResponseTimes } from '../../src/demand/response-times.ts';
import { callOf, FakeCallPartner } from './fake-call-partner.ts';

const maxCallMs = 500;

beforeEach(() => void jest.useFakeTimers({ now: 0, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

function create() {
  const fake = new FakeCallPartner();
  const times = new ResponseTimes(150);
  const states: CircuitState[] = [];
  const nowMs = () => jest.now();
  const calls = outlivingAuctions(
    withProtection(withResponseTimes(fake.callPartner, times, nowMs), {
      breaker: new CircuitBreaker(10, (state) => states.push(state)),
      qpsLimiter: undefined,
      fairMs: 249,
      nowMs,
    }),
    { maxCallMs, nowMs },
  );
  const call = (isTest = false) => {
    const cancellation = new Cancellation();
    const made: { response?: PartnerResponse } = {};
    void calls(callOf('/a'), cancellation, isTest).then((response) => (made.response = response));
    return { made, cancellation, fakeCall: fake.calls.at(-1)! };
  };
  return { fake, times, states, call };
}

async function advance(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  await nextTurn();
  await nextTurn();
}

/** Ten calls whose auctions end after 8 ms, and which respond after `responseMs`; never if undefined. */
async function makeTen(parts: ReturnType<typeof create>, responseMs?: number): Promise<void> {
  for (let i = 0; i < 10; i++) {
    const { cancellation, fakeCall } = parts.call();
    await advance(8);
    cancellation.cancel('late');
    await advance((responseMs ?? maxCallMs) - 8);
    if (responseMs !== undefined) fakeCall.respond('bid', {});
    await advance(0);
  }
}

describe('a call whose auction ends without it', () => {
  test('is late at once, and goes on', async () => {
    const { call } = create();
    const { made, cancellation, fakeCall } = call();
    cancellation.cancel('late');
    await nextTurn();
    expect(made.response).toEqual({ result: 'late' });
    expect(fakeCall.cancelledAs).toBeUndefined();
  });

  test('is cancelled when its own time is over', async () => {
    const { call } = create();
    const { cancellation, fakeCall } = call();
    await advance(8);
    cancellation.cancel('late');
    await advance(maxCallMs - 9);
    expect(fakeCall.cancelledAs).toBeUndefined();
    await advance(1);
    expect(fakeCall.cancelledAs).toBe('timeout');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('leaves no timer after its response', async () => {
    const { call } = create();
    const { cancellation, fakeCall } = call();
    cancellation.cancel('late');
    fakeCall.respond('no_bid');
    await nextTurn();
    expect(jest.getTimerCount()).toBe(0);
  });

  test('is measured: a partner that responds after the auction, but within the soft budget, is waited for', async () => {
    const parts = create();
    await makeTen(parts, 40);
    expect(parts.times.deadlineMs).toBeGreaterThan(40);
    expect(parts.states).toEqual([]);
  });

  test('makes a partner that hangs unlikely, and its circuit breaker opens', async () => {
    const parts = create();
    await makeTen(parts);
    expect(parts.times.deadlineMs).toBe(0);
    expect(parts.states).toEqual(['open']);
  });

  test('does not open the circuit breaker of a partner that responds before the hard deadline', async () => {
    const parts = create();
    await makeTen(parts, 400);
    expect(parts.times.deadlineMs).toBe(0);
    expect(parts.states).toEqual([]);
  });
});

test('a call that its auction has waited for until the soft budget was spent counts at once, and only once', async () => {
  const { call, times } = create();
  const calls = Array.from({ length: 10 }, () => call());
  await advance(149);
  for (const { cancellation } of calls) cancellation.cancel('late');
  expect(times.deadlineMs).toBe(0);
  for (const { fakeCall } of calls) fakeCall.respond('bid', {});
  await nextTurn();
  expect(times.deadlineMs).toBe(0);
});

test('a call that has ended counts as its response, not again when its auction ends', async () => {
  const { call, times } = create();
  for (let i = 0; i < 20; i++) {
    const { cancellation, fakeCall } = call();
    await advance(5);
    fakeCall.respond('bid', {});
    await advance(145);
    cancellation.cancel('late'); // another partner was slow
    await nextTurn();
  }
  expect(times.deadlineMs).toBe(150);
  expect(jest.getTimerCount()).toBe(0);
});

test('a call that the deadline of its auction ended is cancelled', async () => {
  const { call } = create();
  const { made, cancellation, fakeCall } = call();
  cancellation.cancel('timeout');
  await nextTurn();
  expect([made.response, fakeCall.cancelledAs]).toEqual([{ result: 'timeout' }, 'timeout']);
});

test('a test call is cancelled with its auction and not measured', async () => {
  const { call, times } = create();
  for (let i = 0; i < 10; i++) {
    const { cancellation, fakeCall } = call(true);
    await advance(150);
    cancellation.cancel('late');
    await nextTurn();
    expect(fakeCall.cancelledAs).toBe('late');
  }
  expect(times.deadlineMs).toBe(150);
});

test('at most 128 calls outlive their auctions at a time', async () => {
  const { call } = create();
  const calls = Array.from({ length: 129 }, () => call());
  for (const { cancellation } of calls) cancellation.cancel('late');
  await nextTurn();
  expect(calls.filter(({ fakeCall }) => fakeCall.cancelledAs === undefined)).toHaveLength(128);
  expect(calls.every(({ made }) => made.response?.result === 'late')).toBe(true);
  calls[0]!.fakeCall.respond('no_bid');
  await nextTurn();
  const next = call();
  next.cancellation.cancel('late');
  expect(next.fakeCall.cancelledAs).toBeUndefined();
});

test('a call that was not made is not measured', async () => {
  const { call, times } = create();
  for (let i = 0; i < 10; i++) call().fakeCall.respond('skipped');
  await nextTurn();
  expect(times.deadlineMs).toBe(150);
});
