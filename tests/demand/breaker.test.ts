/** The circuit breaker of a partner: when it opens, when it probes, and what closes it. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { withCache } from '../../src/demand/answer-cache.ts';
import { Breaker, type BreakerState, failuresInARow } from '../../src/demand/breaker.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';
import { callOf } from '../auction/fake-ask.ts';
import { bidOf } from '../auction/fakes.ts';
import {
  askPartner,
  createPartner,
  createSparedPartner as spared,
  defect,
  expectProbe,
} from '../auction/partner-at-work.ts';

const probeEveryMs = 5_000;

beforeEach(() => void jest.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void jest.useRealTimers());

/** A breaker that opens after five failures in a row, with a clock that is moved by hand. */
function create({ random = () => 0 }: { random?: () => number } = {}) {
  const states: BreakerState[] = [];
  const breaker = new Breaker(5, (state) => states.push(state), random);
  const clock = { nowMs: 1_000 };
  return {
    breaker,
    states,
    clock,
    /** Asks where it may, and tells what came of it. */
    call: (...results: PartnerResult[]): boolean[] =>
      results.map((result) => {
        if (!breaker.admits(clock.nowMs)) return false;
        breaker.begin();
        breaker.record(result, clock.nowMs);
        return true;
      }),
  };
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('closed', () => {
  test('it is at first, and admits every call', () => {
    const { breaker, call, states } = create();
    expect(breaker.state).toBe('closed');
    expect(call(...times(100, 'bid' as const))).toEqual(times(100, true));
    expect(states).toEqual([]);
  });

  test('it stays with one failure in a row less than it takes', () => {
    const { breaker, call } = create();
    for (let round = 0; round < 3; round++) call(...times(4, 'error' as const), ...times(12, 'no_bid' as const));
    expect(breaker.state).toBe('closed');
  });

  test.each(['error', 'timeout', 'late'] as const)('it opens with enough of %s in a row', (failure) => {
    const { breaker, call, states } = create();
    expect(call(...times(6, failure))).toEqual([true, true, true, true, true, false]);
    expect(breaker.state).toBe('open');
    expect(states).toEqual(['open']);
  });

  test('failures of all kinds make one row', () => {
    const { breaker, call } = create();
    call('error', 'timeout', 'late', 'error', 'timeout');
    expect(breaker.state).toBe('open');
  });

  test('it opens where half of the recent calls fail, though never in a row', () => {
    const { breaker, call } = create();
    for (let pair = 0; pair < 9; pair++) call('bid', 'timeout');
    expect(breaker.state).toBe('closed');
    for (let pair = 0; pair < 2; pair++) call('bid', 'timeout');
    expect(breaker.state).toBe('open');
  });

  test('it stays where less than half fail, for as long as that goes on', () => {
    const { breaker, call } = create();
    for (let round = 0; round < 100; round++) call('timeout', 'bid', 'error', 'bid', 'no_bid');
    expect(breaker.state).toBe('closed');
  });

  test('calls that were not made count neither way', () => {
    const { breaker, call } = create();
    for (let round = 0; round < 5; round++) call('error', ...times(10, 'skipped' as const));
    expect(breaker.state).toBe('open');
  });
});

/** One that has just opened. */
function opened(settings?: Parameters<typeof create>[0]) {
  const parts = create(settings);
  parts.call(...times(5, 'error' as const));
  parts.states.length = 0;
  return parts;
}

describe('open', () => {
  test('it admits nothing for a while', () => {
    const { breaker, clock } = opened();
    for (let second = 0; second < 2; second++) {
      expect(breaker.admits(clock.nowMs)).toBe(false);
      clock.nowMs += 900;
    }
  });

  test('it probes at least every 5 s, whatever the dice say', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (dice) => {
        const { breaker, call, clock } = opened({ random: () => dice });
        for (let probe = 0; probe < 5; probe++) {
          clock.nowMs += probeEveryMs;
          expect(call('timeout')).toEqual([true]);
          expect(breaker.state).toBe('open');
        }
      }),
    );
  });

  test('what comes of calls from before it opened does not close it', () => {
    const { breaker, clock } = opened();
    breaker.record('bid', clock.nowMs);
    breaker.record('no_bid', clock.nowMs);
    expect(breaker.state).toBe('open');
  });

  test('late failures from before it opened do not put the probe off', () => {
    const { breaker, clock } = opened();
    clock.nowMs += 500;
    for (let late = 0; late < 20; late++) breaker.record('timeout', clock.nowMs);
    clock.nowMs += probeEveryMs - 500;
    expect(breaker.admits(clock.nowMs)).toBe(true);
  });
});

describe('half open', () => {
  function probing() {
    const parts = opened();
    parts.clock.nowMs += probeEveryMs;
    expect(parts.breaker.admits(parts.clock.nowMs)).toBe(true);
    parts.breaker.begin();
    return parts;
  }

  test('it lets one probe out at a time', () => {
    const { breaker, clock, states } = probing();
    expect(breaker.state).toBe('half_open');
    expect(states).toEqual(['half_open']);
    clock.nowMs += 1_000;
    expect(breaker.admits(clock.nowMs)).toBe(false);
  });

  test.each(['bid', 'no_bid'] as const)('a probe that ends with %s closes it', (result) => {
    const { breaker, call, clock, states } = probing();
    breaker.record(result, clock.nowMs);
    expect(states).toEqual(['half_open', 'closed']);
    expect(call(...times(10, 'bid' as const))).toEqual(times(10, true));
  });

  test('once closed it takes as many failures as ever to open it', () => {
    const { breaker, call, clock } = probing();
    breaker.record('bid', clock.nowMs);
    call(...times(4, 'error' as const));
    expect(breaker.state).toBe('closed');
    call('error');
    expect(breaker.state).toBe('open');
  });

  test('once closed it does not hold the failures of before against the partner', () => {
    const { breaker, call, clock } = create();
    for (let pair = 0; pair < 11; pair++) call('bid', 'timeout');
    expect(breaker.state).toBe('open');
    clock.nowMs += probeEveryMs;
    call('bid', 'error', 'bid', 'error');
    expect(breaker.state).toBe('closed');
  });

  test.each(['error', 'timeout', 'late'] as const)('a probe that ends with %s opens it again', (result) => {
    const { breaker, clock, states } = probing();
    breaker.record(result, clock.nowMs);
    expect(states).toEqual(['half_open', 'open']);
    expect(breaker.admits(clock.nowMs + 1)).toBe(false);
    expect(breaker.admits(clock.nowMs + probeEveryMs)).toBe(true);
  });

  test('a probe that could not be made leads to another one', () => {
    const { breaker, clock } = probing();
    breaker.record('skipped', clock.nowMs);
    expect(breaker.state).toBe('open');
    expect(breaker.admits(clock.nowMs + probeEveryMs)).toBe(true);
  });
});

describe('asking whether it admits', () => {
  test('changes nothing: a call that is then not made is no probe', () => {
    const { breaker, call, clock, states } = opened();
    clock.nowMs += probeEveryMs;
    for (let ask = 0; ask < 10; ask++) expect(breaker.admits(clock.nowMs)).toBe(true);
    expect(states).toEqual([]);
    expect(call('bid')).toEqual([true]);
    expect(breaker.state).toBe('closed');
  });
});

describe('at work for a partner', () => {
  test('one call is the probe, and its answer brings the partner back', () => {
    expectProbe(spared());
  });

  test('a probe that times out spares it again', () => {
    const { partner, fake, states } = spared({ timeoutMs: 100 });
    askPartner(partner);
    jest.advanceTimersByTime(100);
    jest.runOnlyPendingTimers();
    expect(states).toEqual(['half_open', 'open']);
    expect(askPartner(partner).results).toEqual(['skipped']);
    expect(fake.calls).toHaveLength(1);
  });
});

describe('what is no probe', () => {
  test('nothing to ask: it neither closes it nor keeps the next probe away', () => {
    const parts = spared();
    const calls = parts.calls.splice(0);
    for (let auctions = 0; auctions < 3; auctions++) expect(askPartner(parts.partner).results).toEqual(['no_bid']);
    expect(parts.breaker.state).not.toBe('closed');
    parts.calls.push(...calls);
    expectProbe(parts);
  });

  test('a rate used up: it does not keep the next probe away', () => {
    const parts = spared({ maxQps: 3 });
    while (parts.qpsGate!.take(jest.now()));
    expect(askPartner(parts.partner).results).toEqual(['skipped']);
    expect(parts.fake.calls).toHaveLength(0);
    expectProbe(parts);
  });

  test('too little time: it does not keep the next probe away', () => {
    const parts = spared();
    expect(askPartner(parts.partner, 3).results).toEqual(['skipped']);
    expectProbe(parts);
  });

  test('no free connection: another probe follows', () => {
    const parts = spared();
    parts.fake.atOnce = ['skipped'];
    expect(askPartner(parts.partner).results).toEqual(['skipped']);
    parts.fake.atOnce = undefined;
    parts.fake.calls.length = 0;
    expectProbe(parts);
  });

  test('a defect: another probe follows', () => {
    let broken = false;
    const parts = spared({ through: (ask) => (call, answered) => (broken ? defect() : ask(call, answered)) });
    broken = true;
    try {
      askPartner(parts.partner);
    } catch {
      // that it throws is told elsewhere
    }
    broken = false;
    expectProbe(parts);
  });

  test('an answer out of the cache: the partner has not shown that it is back', () => {
    const cached = { cacheMs: 60_000, cacheSize: 10 };
    const calls = [callOf('/a')];
    const parts = createPartner({ calls, through: (ask) => withCache(ask, cached, () => jest.now()) });
    const { partner, fake, breaker } = parts;
    askPartner(partner);
    fake.calls[0]!.answer('bid', [bidOf(1)]);
    for (let failure = 0; failure < 3; failure++) {
      calls[0] = callOf(`/failing/${failure}`);
      askPartner(partner);
      fake.calls.at(-1)!.answer('error');
    }
    expect(breaker.state).toBe('open');
    jest.advanceTimersByTime(probeEveryMs);
    calls[0] = callOf('/a');
    askPartner(partner);
    expect(breaker.state).not.toBe('closed');
  });
});

describe('the workers of a machine', () => {
  test.each([1, 2, 3, 4, 8, 10, 12, 16, 24, 30])(
    '%d of them stop after 30 failures in a row at the most',
    (workers) => {
      expect(failuresInARow(workers)).toBeGreaterThanOrEqual(1);
      expect(failuresInARow(workers) * workers).toBeLessThanOrEqual(30);
    },
  );
});
