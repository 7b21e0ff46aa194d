/** Circuit breaker and QPS cap of a partner: every real call counts once; a call cancelled early does not count. */
import { describe, expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PartnerResponse } from '../../src/demand/call-partner.ts';
import { Cancellation } from '../../src/demand/cancellation.ts';
import { type BreakerSignal, CircuitBreaker, type CircuitState } from '../../src/demand/circuit-breaker.ts';
import { withProtection } from '../../src/demand/protect.ts';
import { QpsLimiter } from '../../src/demand/qps-limiter.ts';
import { withResponseCache } from '../../src/demand/response-cache.ts';
import { callOf, FakeCallPartner } from './fake-call-partner.ts';

function create(maxQps?: number) {
  const fake = new FakeCallPartner();
  const clock = { nowMs: 10_000 };
  const states: CircuitState[] = [];
  const nowMs = () => clock.nowMs;
  const protectedCalls = withProtection(fake.callPartner, {
    breaker: new CircuitBreaker(3, (state) => states.push(state)),
    qpsLimiter: maxQps === undefined ? undefined : new QpsLimiter(maxQps, 1, 0),
    fairMs: 250,
    nowMs,
  });
  const cached = withResponseCache(protectedCalls, { cacheMs: 60_000, cacheSize: 10 }, nowMs);
  const call = (url = '/a', { isTest = false, through = protectedCalls } = {}) => {
    const cancellation = new Cancellation();
    const made: { response?: PartnerResponse; defect?: unknown } = {};
    through(callOf(url), cancellation, isTest).then(
      (response) => (made.response = response),
      (defect: unknown) => (made.defect = defect),
    );
    return { made, cancellation };
  };
  return { fake, clock, states, call, cached, protectedCalls };
}

async function failThree({ fake, call }: ReturnType<typeof create>, isTest = false): Promise<void> {
  for (let i = 0; i < 3; i++) {
    call('/a', { isTest });
    fake.calls.at(-1)!.respond('error');
    await nextTurn();
  }
}

async function expectSkipped({ made }: { made: { response?: PartnerResponse } }): Promise<void> {
  await nextTurn();
  expect(made.response).toMatchObject({ result: 'skipped' });
}

test('a partner that keeps failing is skipped', async () => {
  const parts = create();
  await failThree(parts);
  await expectSkipped(parts.call());
  expect(parts.fake.calls).toHaveLength(3);
});

describe('the calls of one auction', () => {
  function makeAuctions() {
    const parts = create();
    const auction = async (...statuses: number[]) => {
      const calls = statuses.map((_, index) => callOf(`/${index}`));
      const group = { first: calls[0]!, counted: new Set<BreakerSignal>() };
      for (const call of calls) void parts.protectedCalls({ ...call, group }, new Cancellation(), false);
      for (const [index, call] of parts.fake.calls.slice(-calls.length).entries()) {
        if (statuses[index] === 200) call.respond('bid', {});
        else call.respondWithStatus(statuses[index]!);
        await nextTurn();
      }
    };
    return { auction, states: parts.states };
  }

  test('count as one failure, however many there are', async () => {
    const { auction, states } = makeAuctions();
    await auction(500, 500, 500);
    await auction(500, 500, 500);
    expect(states).toEqual([]);
    await auction(500, 500, 500);
    expect(states).toEqual(['open']);
  });

  test('count as one success, so that a partner that fails in half of them is found', async () => {
    const { auction, states } = makeAuctions();
    for (let i = 0; i < 9; i++) await auction(200, 200, 200, 500);
    expect(states).toEqual([]);
    await auction(200, 200, 200, 500);
    expect(states).toEqual(['open']);
  });
});

test.each([
  ['test calls', (parts: ReturnType<typeof create>) => void parts.call('/a', { isTest: true })],
  [
    'further calls of an auction',
    (parts: ReturnType<typeof create>) => {
      const group = { first: callOf('/first'), counted: new Set<BreakerSignal>() };
      void parts.protectedCalls({ ...callOf('/a'), group }, new Cancellation(), false);
    },
  ],
])('%s leave half of what the QPS cap allows to others', (_name, make) => {
  const parts = create(10);
  for (let i = 0; i < 20; i++) make(parts);
  expect(parts.fake.calls).toHaveLength(5);
  for (let i = 0; i < 20; i++) parts.call();
  expect(parts.fake.calls).toHaveLength(10);
});

test('a response that cannot be used is not a failure', async () => {
  const { fake, states, call } = create();
  for (let i = 0; i < 10; i++) {
    call();
    fake.calls.at(-1)!.respond('invalid');
    await nextTurn();
  }
  expect(states).toEqual([]);
});

describe('a response with a status below 500', () => {
  async function respondWith(parts: ReturnType<typeof create>, ...statuses: number[]): Promise<void> {
    for (const status of statuses) {
      parts.call();
      parts.fake.calls.at(-1)!.respondWithStatus(status);
      await nextTurn();
    }
  }

  test.each([201, 302, 400, 404, 413, 429, 431, 499])('is not a failure: %d', async (status) => {
    const parts = create();
    await respondWith(parts, ...Array.from({ length: 60 }, () => status));
    expect(parts.states).toEqual([]);
    expect(parts.fake.calls).toHaveLength(60);
  });

  test.each([500, 502, 503, 599, 600])('is not %d, which is a failure', async (status) => {
    const parts = create();
    await respondWith(parts, status, status, status);
    expect(parts.states).toEqual(['open']);
  });

  test('is not a success either: failures around it are consecutive', async () => {
    const parts = create();
    await respondWith(parts, 500, 400, 429, 500, 413, 431, 500);
    expect(parts.states).toEqual(['open']);
  });

  test('is not among the recent calls of which half may fail', async () => {
    const parts = create();
    const { fake, call } = parts;
    const succeed = async () => {
      call();
      fake.calls.at(-1)!.respond('no_bid');
      await nextTurn();
    };
    for (let i = 0; i < 5; i++) {
      await respondWith(parts, 500, 413, 413, 413, 500);
      await succeed();
    }
    expect(parts.states).toEqual([]);
    await respondWith(parts, 500, 400, 500);
    await succeed();
    await respondWith(parts, 500, 429, 500);
    expect(parts.states).toEqual(['open']);
  });

  test('decides no probe: the next call is the probe', async () => {
    const parts = create();
    await respondWith(parts, 500, 500, 500);
    parts.clock.nowMs += 5_000;
    await respondWith(parts, 413, 429);
    expect(parts.states).toEqual(['open', 'half_open', 'open', 'half_open', 'open']);
    parts.call();
    parts.fake.calls.at(-1)!.respond('bid', {});
    await nextTurn();
    expect(parts.states.slice(5)).toEqual(['half_open', 'closed']);
  });
});

describe.each(['late', 'timeout'] as const)('a call cancelled as %s', (reason) => {
  test.each([
    [249, []],
    [250, ['open']],
  ])('after %d ms', async (durationMs, expected) => {
    const { clock, states, call } = create();
    for (let i = 0; i < 3; i++) {
      const { cancellation } = call();
      clock.nowMs += durationMs;
      cancellation.cancel(reason);
      await nextTurn();
    }
    expect(states).toEqual(expected);
  });
});

test('test calls do not count for the circuit breaker, but are skipped while it is open', async () => {
  const parts = create();
  await failThree(parts, true);
  expect(parts.states).toEqual([]);
  await failThree(parts);
  await expectSkipped(parts.call('/a', { isTest: true }));
});

test('calls beyond the QPS cap are skipped', async () => {
  const { fake, clock, call } = create(2);
  call('/a');
  call('/b');
  await expectSkipped(call('/c'));
  clock.nowMs += 500;
  call('/c');
  expect(fake.calls).toHaveLength(3);
});

test('a shared call that fails counts once, however many auctions wait for it', async () => {
  const { fake, states, call, cached } = create();
  for (let i = 0; i < 12; i++) call('/a', { through: cached });
  fake.calls[0]!.respond('error');
  await nextTurn();
  expect(fake.calls).toHaveLength(1);
  expect(states).toEqual([]);
});

test('a cached response is served while the circuit is open, and is not the probe', async () => {
  const parts = create();
  const { fake, clock, states, call, cached } = parts;
  call('/cached', { through: cached });
  fake.calls[0]!.respond('bid', { products: [] });
  await nextTurn();
  await failThree(parts);
  clock.nowMs += 5_000;
  const hit = call('/cached', { through: cached });
  await nextTurn();
  expect(hit.made.response?.result).toBe('bid');
  expect(states).toEqual(['open']);
  call('/other', { through: cached });
  fake.calls.at(-1)!.respond('bid', { products: [] });
  await nextTurn();
  expect(states).toEqual(['open', 'half_open', 'closed']);
});

test('a call that hangs is not joined for ever', async () => {
  const { fake, clock, call, cached } = create();
  call('/a', { through: cached });
  clock.nowMs += 99;
  call('/a', { through: cached });
  expect(fake.calls).toHaveLength(1);
  clock.nowMs += 1;
  const late = call('/a', { through: cached });
  expect(fake.calls).toHaveLength(2);
  fake.calls[1]!.respond('bid', { products: [] });
  await nextTurn();
  expect(late.made.response?.result).toBe('bid');
});

test('a defect during the probe leaves the next call to be the probe', async () => {
  const parts = create();
  const { fake, clock, states, call } = parts;
  await failThree(parts);
  clock.nowMs += 5_000;
  const { made } = call();
  fake.calls.at(-1)!.fail(new Error('a defect'));
  await nextTurn();
  expect(made.defect).toEqual(new Error('a defect'));
  call();
  fake.calls.at(-1)!.respond('bid', {});
  await nextTurn();
  expect(states).toEqual(['open', 'half_open', 'open', 'half_open', 'closed']);
});
