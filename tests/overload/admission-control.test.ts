/** CoDel's rule, by the median: a worker is overloaded if half of its requests wait too long, and it has no idle time. */
import { describe, expect, test } from '@jest/globals';
import { AdmissionControl } from '../../src/overload/admission-control.ts';

/** One interval of 100 ms with these delays; `inProgress` requests overlap. */
interface Interval {
  delaysMs: number[];
  /** Each request was held so long before. */
  heldMs?: number;
  /** Each request has waited so long for the buckets. */
  waitedMs?: number;
  left?: number;
  refused?: number;
  connected?: number;
  /** Turns of the event loop; enough for some to accept no connection by default. */
  turns?: number;
  idleMs?: number;
  waiting?: number;
}

/** Three late intervals in a row are more than a burst, and so are two severe ones. After two calm intervals an overload is over. */
const settings = {
  maxDelayMs: 80,
  targetDelayMs: 30,
  intervalMs: 100,
  burstMs: 300,
  burstRequests: 16,
  maxBurstMs: 1_000,
  severeBurstMs: 200,
  severeConnectingBurstMs: 100,
  calmMs: 200,
};

function run(intervals: Interval[], burstRequests = settings.burstRequests): AdmissionControl {
  const control = new AdmissionControl({ ...settings, burstRequests });
  let idle = 0;
  intervals.forEach((interval, index) => {
    const { delaysMs, heldMs = 0, waitedMs = 0, left = 0, refused = 0, connected = 0 } = interval;
    const { turns = 2 * connected + 1, idleMs = 0, waiting = 0 } = interval;
    for (let count = 0; count < delaysMs.length; count++) control.start();
    for (const delayMs of delaysMs) control.end(delayMs, heldMs, waitedMs);
    for (let count = 0; count < left; count++) control.leave();
    for (let count = 0; count < refused; count++) control.refuse();
    for (let count = 0; count < connected; count++) control.connect();
    for (let turn = 1; turn < turns; turn++) control.endTurn(index * 100 + 1, () => idle, waiting);
    idle += idleMs;
    control.endTurn((index + 1) * 100, () => idle, waiting);
  });
  return control;
}

const many = (delayMs: number): number[] => Array.from({ length: 200 }, () => delayMs);

const late = (delayMs: number): Interval => ({ delaysMs: many(delayMs) });

describe('a worker is overloaded', () => {
  test('if half of the requests were late for longer than a burst', () => {
    const half = { delaysMs: [...many(81), ...many(5), 81] };
    expect(run([half, half, half]).holdsRequests).toBe(true);
  });
  test('if their mean delay was more than one and a half times what is allowed, for a shorter time', () => {
    expect(run([late(121), late(121)]).holdsRequests).toBe(true);
  });
  test('sooner if new connections are a large part of the load', () => {
    expect(run([{ ...late(121), connected: 101 }]).holdsRequests).toBe(true);
    expect(run([{ ...late(121), connected: 100 }]).holdsRequests).toBe(false);
    expect(run([{ ...late(120), connected: 101 }]).holdsRequests).toBe(false);
  });
  test('if more than a tenth of the clients left, and it had no idle time', () => {
    const leaving = { delaysMs: many(5), left: 21 };
    expect(run([leaving, leaving]).holdsRequests).toBe(true);
    expect(run([leaving, { ...leaving, left: 20 }]).holdsRequests).toBe(false);
    expect(run([leaving, { ...leaving, idleMs: 5 }]).holdsRequests).toBe(false);
  });
  test('if they were held for so long', () => {
    const held = (heldMs: number) => ({ delaysMs: many(5), heldMs });
    expect(run([held(76), held(76), held(76)]).holdsRequests).toBe(true);
    expect(run([held(75), held(75), held(75)]).holdsRequests).toBe(false);
  });
  test('if as many wait as it serves in that time', () => {
    // 200 requests per interval are 2 per millisecond; the estimate begins at 1, and is 1.58 in the third interval.
    const waiting = (count: number) => ({ delaysMs: many(5), waiting: count });
    expect(run([waiting(110), waiting(130), waiting(127)]).holdsRequests).toBe(true);
    expect(run([waiting(110), waiting(130), waiting(126)]).holdsRequests).toBe(false);
  });
  test('if their queue gets shorter by no more than half of the requests that it serves', () => {
    const shrinking = (by: number) => [700, 700 - by, 700 - 2 * by].map((waiting) => ({ ...late(500), waiting }));
    expect(run(shrinking(100)).holdsRequests).toBe(true);
    expect(run(shrinking(101)).holdsRequests).toBe(false);
  });
});

describe('an overload is over', () => {
  /** The worker serves 1.44 requests per millisecond by now, and starts 14 in a turn. */
  const overload = [late(121), late(121)];
  /** In overload each request waits for a turn, so that some wait at any time. */
  const calm = { delaysMs: many(30).slice(0, 100), waiting: 12 };

  test('after 200 ms in which none was late, none was refused, and all that waited could start', () => {
    expect(run([...overload, calm]).holdsRequests).toBe(true);
    expect(run([...overload, calm, calm]).holdsRequests).toBe(false);
  });
  test.each([
    ['was late', late(31)],
    ['was shed, or its connection refused', { ...calm, refused: 1 }],
    ['had to wait for more than a turn', { ...calm, waiting: 30 }],
  ])('no sooner than 200 ms after a request %s', (_, interval) => {
    expect(run([...overload, calm, interval]).holdsRequests).toBe(true);
    expect(run([...overload, calm, interval, calm]).holdsRequests).toBe(true);
    expect(run([...overload, calm, interval, calm, calm]).holdsRequests).toBe(false);
  });
  test('if a worker with idle time could have served those that it refused', () => {
    const served = calm.delaysMs.length;
    const refusing = { ...calm, refused: 143 - served, idleMs: 5 };
    expect(run([...overload, refusing, refusing]).holdsRequests).toBe(false);
    expect(run([...overload, refusing, { ...refusing, refused: 144 - served }]).holdsRequests).toBe(true);
    expect(run([...overload, refusing, { ...refusing, idleMs: 4 }]).holdsRequests).toBe(true);
  });
});

describe('a worker is not overloaded', () => {
  test('if half of the requests of an interval were in time', () => {
    expect(run([late(500), { delaysMs: [...many(500), ...many(80)] }]).holdsRequests).toBe(false);
  });
  test('if it had idle time: the requests waited for Redis', () => {
    expect(run([late(500), { delaysMs: many(500), idleMs: 5 }]).holdsRequests).toBe(false);
  });
  test('if the requests waited for Redis, and not for the worker', () => {
    const waited = { delaysMs: many(5), waitedMs: 500 };
    expect(run([waited, waited, waited, waited]).holdsRequests).toBe(false);
  });
  test('if so few requests were in progress and waiting that they are a burst', () => {
    const few = { delaysMs: Array.from({ length: 16 }, () => 500), waiting: 16 };
    expect(run([few, few]).holdsRequests).toBe(false);
    expect(run([few, few, { ...few, waiting: 17 }, { ...few, waiting: 17 }]).holdsRequests).toBe(true);
  });
  test('if few have waited for less than a second', () => {
    const lasting = (intervals: number) => Array.from({ length: intervals }, () => late(500));
    expect(run(lasting(10), 200).holdsRequests).toBe(false);
    expect(run(lasting(11), 200).holdsRequests).toBe(true);
  });
  test('if few clients left, however large their share', () => {
    const leaving = { delaysMs: [5], left: 16 };
    expect(run([leaving, leaving, leaving]).holdsRequests).toBe(false);
  });
  test('while it serves a burst', () => {
    const burst = [1_000, 800, 600, 400, 200, 0].map((waiting, index) => ({
      delaysMs: many(5),
      heldMs: 100 * index,
      waiting,
    }));
    expect(run(burst).holdsRequests).toBe(false);
  });
  test('after a burst', () => {
    expect(run([late(500)]).holdsRequests).toBe(false);
    expect(run([late(120), late(120)]).holdsRequests).toBe(false);
    expect(run([late(500), { delaysMs: many(5) }, late(500)]).holdsRequests).toBe(false);
  });
  test('before the interval has passed', () => {
    const control = new AdmissionControl({ ...settings, severeBurstMs: 100 });
    control.endTurn(1_000, () => 0, 0);
    for (const _ of many(500)) control.start();
    for (const delayMs of many(500)) control.end(delayMs, 0, 0);
    control.endTurn(1_099, () => 0, 0);
    expect(control.holdsRequests).toBe(false);
    control.endTurn(1_100, () => 0, 0);
    expect(control.holdsRequests).toBe(true);
  });
});

describe('what a worker serves in a millisecond', () => {
  const steady = Array.from({ length: 20 }, () => late(5));
  const served = (count: number): Interval => ({ delaysMs: many(5).slice(0, count) });

  test('is learned from busy intervals', () => {
    expect(run(steady).throughput).toBeCloseTo(2, 1);
    expect(run([...steady, { ...served(20), idleMs: 5 }]).throughput).toBe(run(steady).throughput);
  });
  test('falls slowly: an interval that went to something else is no reason to start fewer requests', () => {
    expect(run([...steady, served(20)]).throughput).toBeGreaterThan(1.9);
    expect(run([...steady, ...Array.from({ length: 100 }, () => served(20))]).throughput).toBeLessThan(0.3);
  });
});

describe('the limit of requests in progress', () => {
  test('does not exist without overload', () => {
    expect(run([{ delaysMs: many(5) }]).free).toBe(Infinity);
  });
  test('follows the delay, at most by half per interval', () => {
    expect(run([late(121), late(10_000)]).free).toBe(100);
    expect(run([late(121), late(10_000), late(40)]).free).toBe(75);
  });
  test('shrinks if clients leave though the delay is short, to what is served within the target delay', () => {
    const leaving = { delaysMs: many(5), left: 100 };
    expect(run([leaving, leaving]).free).toBeCloseTo(140);
    expect(run(Array.from({ length: 20 }, () => leaving)).free).toBeCloseTo(60);
  });
  test('makes room for those that wait for Redis', () => {
    expect(run([late(121), late(180), { delaysMs: many(60), waitedMs: 60 }]).free).toBe(75);
    const leaving = { delaysMs: many(5), waitedMs: 60, left: 100 };
    expect(run(Array.from({ length: 20 }, () => leaving)).free).toBeCloseTo(180);
  });
  test('never falls below 16', () => {
    expect(run(Array.from({ length: 20 }, () => ({ delaysMs: many(1_000) }))).free).toBe(16);
  });
  test('grows while requests wait and delays are short', () => {
    expect(run([late(121), late(180), { delaysMs: many(5), waiting: 10 }]).free).toBe(100 * 1.1 + 1);
  });
  test('does not depend on how long requests were held', () => {
    expect(run([late(121), late(180), { delaysMs: many(5), heldMs: 500, waiting: 10 }]).free).toBe(100 * 1.1 + 1);
  });
  test('counts the requests in progress', () => {
    const control = run([late(121), late(180)]);
    control.start();
    expect(control.free).toBe(99);
  });
});

describe('connections are accepted before requests are handled', () => {
  const busy = (connected: number): Interval => ({ delaysMs: many(5), connected });
  test('if they are a large part of the load of a busy worker', () => {
    expect(run([busy(101)]).acceptsFirst).toBe(true);
    expect(run([busy(101), busy(100)]).acceptsFirst).toBe(false);
  });
  test('if a busy worker accepts one in most of its turns: others wait in the kernel', () => {
    expect(run([{ ...busy(7), turns: 9 }]).acceptsFirst).toBe(true);
    expect(run([{ ...busy(6), turns: 8 }]).acceptsFirst).toBe(false);
    expect(run([{ ...busy(3), turns: 3 }]).acceptsFirst).toBe(false);
    expect(run([{ ...busy(7), turns: 9, idleMs: 5 }]).acceptsFirst).toBe(false);
  });
  test('not if the worker has idle time, or if they are few', () => {
    expect(run([{ ...busy(101), idleMs: 5 }]).acceptsFirst).toBe(false);
    expect(run([{ delaysMs: [5], connected: 16 }]).acceptsFirst).toBe(false);
  });
  test('while they are refused', () => {
    expect(run([late(121), { ...late(121), connected: 101 }, late(121)]).acceptsFirst).toBe(true);
  });
});

describe('new connections are refused', () => {
  const withConnections = (connected: number): Interval => ({ ...late(121), connected });
  test('if they are part of the load, until the overload ends', () => {
    expect(run([late(121), withConnections(101)]).refusesConnections).toBe(true);
    expect(run([late(121), withConnections(101), late(121)]).refusesConnections).toBe(true);
    const calm = { delaysMs: many(5) };
    expect(run([late(121), withConnections(101), calm, calm]).refusesConnections).toBe(false);
  });
  test('not if they are few, or without overload', () => {
    expect(run([late(121), withConnections(100)]).refusesConnections).toBe(false);
    expect(run([{ delaysMs: many(5), connected: 1_000 }]).refusesConnections).toBe(false);
  });
});
