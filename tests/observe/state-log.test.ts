/** The changes of a state: few lines, of which the last one is true. */
import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createStateLog } from '../../src/observe/state-log.ts';

const everyMs = 5_000;
let nowMs: number;
let timers: { callback: () => void; atMs: number }[];
let lines: [state: boolean, suppressed: number, atMs: number][];
let change: (state: boolean) => void;
beforeEach(start);

function start(): void {
  nowMs = 0;
  timers = [];
  lines = [];
  change = createStateLog({
    write: (state, suppressed) => lines.push([state, suppressed, nowMs]),
    everyMs,
    nowMs: () => nowMs,
    schedule: (callback, delayMs) => timers.push({ callback, atMs: nowMs + delayMs }),
  });
}

function advanceTo(atMs: number): void {
  for (const timer of timers.filter((one) => one.atMs <= atMs)) {
    nowMs = timer.atMs;
    timers = timers.filter((one) => one !== timer);
    timer.callback();
  }
  nowMs = atMs;
}

test('a change is logged at once, and its end when the interval is over', () => {
  change(true);
  advanceTo(100);
  change(false);
  expect(lines).toEqual([[true, 0, 0]]);
  advanceTo(60_000);
  expect(lines).toEqual([
    [true, 0, 0],
    [false, 0, 5_000],
  ]);
});

test('changes within an interval have one line, which counts the others', () => {
  change(true);
  for (const state of [false, true, false]) change(state);
  advanceTo(5_000);
  expect(lines).toEqual([
    [true, 0, 0],
    [false, 2, 5_000],
  ]);
});

test('a state that has changed there and back within an interval has no line', () => {
  change(true);
  for (const state of [false, true]) change(state);
  advanceTo(5_000);
  expect(lines).toHaveLength(1);
  advanceTo(6_000);
  change(false);
  expect(lines.at(-1)).toEqual([false, 2, 6_000]);
});

test('whatever happens, the last line is the last state, and lines are an interval apart', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 12_000 }), { minLength: 1, maxLength: 30 }), (pauses) => {
      start();
      let state = false;
      for (const pause of pauses) {
        advanceTo(nowMs + pause);
        change((state = !state));
      }
      advanceTo(nowMs + everyMs);
      expect(lines.at(-1)![0]).toBe(state);
      for (const [index, [, , atMs]] of lines.entries()) {
        if (index > 0) expect(atMs - lines[index - 1]![2]).toBeGreaterThanOrEqual(everyMs);
      }
    }),
  );
});
