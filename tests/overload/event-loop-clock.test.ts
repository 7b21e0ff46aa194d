/** A turn of the event loop begins when the loop has waited for something to do. */
import { describe, expect, test } from '@jest/globals';
import { EventLoopClock } from '../../src/overload/event-loop-clock.ts';
import { until } from '../support/until.ts';

/** An event loop whose turns end when the test says so. */
function manualLoop() {
  const loop = { nowMs: 0, idleMs: 0, endTurn: () => {} };
  const clock = new EventLoopClock({
    nowMs: () => loop.nowMs,
    idleMs: () => loop.idleMs,
    atTurnEnd: (callback) => (loop.endTurn = callback),
  });
  const work = (ms: number) => (loop.nowMs += ms);
  const wait = (ms: number) => {
    loop.nowMs += ms;
    loop.idleMs += ms;
  };
  return { loop, clock, work, wait };
}

test('what is read in a turn could have been read at its start, not when the turn comes to it', () => {
  const { loop, clock, work, wait } = manualLoop();
  loop.endTurn();
  wait(10);
  work(3);
  expect(clock.turnStartMs()).toBe(10);
  work(4);
  expect(clock.turnStartMs()).toBe(10);
});

test('work between two turns, such as a timer, delays the bytes that arrive meanwhile', () => {
  const { loop, clock, work } = manualLoop();
  work(5);
  loop.endTurn();
  work(20);
  expect(clock.turnStartMs()).toBe(5);
});

describe('what the current turn reads', () => {
  test('was not there before the event loop stopped waiting for it', () => {
    const { loop, clock, work, wait } = manualLoop();
    const turn = clock.turn();
    work(5);
    loop.endTurn();
    wait(40);
    work(2);
    loop.endTurn();
    wait(20);
    work(3);
    expect(clock.waitedSince(turn)).toBe(62);
  });
  test('may have been there since the turn before read the last bytes, if the event loop did not wait', () => {
    const { loop, clock, work, wait } = manualLoop();
    const turn = clock.turn();
    work(5);
    loop.endTurn();
    wait(30);
    work(10);
    loop.endTurn();
    wait(0.01); // what it takes to ask for events
    expect(clock.waitedSince(turn)).toBe(30);
  });
  test('is not waited for by a turn that has not ended, nor by the one before', () => {
    const { loop, clock, work } = manualLoop();
    const turn = clock.turn();
    work(5);
    expect(clock.waitedSince(turn)).toBe(0);
    loop.endTurn();
    work(20);
    expect(clock.waitedSince(turn)).toBe(0);
  });
});

test('a listener is called at the end of each turn, until it is removed', () => {
  const { loop, clock } = manualLoop();
  let calls = 0;
  const stop = clock.onTurnEnd(() => calls++);
  loop.endTurn();
  loop.endTurn();
  stop();
  loop.endTurn();
  expect(calls).toBe(2);
});

test('in a real process, a turn that works is noticed and the event loop still waits', async () => {
  const clock = new EventLoopClock();
  const idleMs = clock.idleMs();
  await until('the event loop has waited', () => clock.idleMs() > idleMs + 5);
  const startMs = clock.turnStartMs();
  const endMs = performance.now() + 5;
  while (performance.now() < endMs);
  expect(clock.turnStartMs()).toBe(startMs);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.turnStartMs()).toBeGreaterThanOrEqual(startMs + 5);
});
