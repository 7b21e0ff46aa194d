/** Unresponsive workers are found by their silence, on an injected clock; stalls of the primary do not count as silence. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defaultLiveness, livenessLimits, WorkerLiveness } from '../../src/fleet/worker-liveness.ts';
import { numRuns } from '../support/num-runs.ts';

const limits = { checkMs: 500, silenceMs: 5_000, startMs: 30_000, stallMs: 1_000 };

function createLiveness(ofWorkers = limits) {
  let nowMs = 1_000_000;
  const liveness = new WorkerLiveness(ofWorkers, () => nowMs);
  /** The next check happens after this time. */
  const checkAfter = (elapsedMs: number) => {
    nowMs += elapsedMs;
    return liveness.check();
  };
  /** Checks at the usual interval; returns what all of them found. */
  const run = (durationMs: number, meanwhile: () => void = () => {}) =>
    Array.from({ length: durationMs / limits.checkMs }, () => {
      meanwhile();
      return checkAfter(limits.checkMs).unresponsive;
    }).flat();
  const wait = (ms: number) => void (nowMs += ms);
  return { liveness, checkAfter, run, wait };
}

/** Worker 1 is ready. */
function createReady() {
  const parts = createLiveness();
  parts.liveness.add(1);
  parts.liveness.ready(1);
  return parts;
}

test('a ready worker is unresponsive 5 s after its last heartbeat, not before, and is reported once', () => {
  const { liveness, run } = createReady();
  run(2_000);
  liveness.heartbeat(1);
  expect(run(4_500)).toEqual([]);
  expect(run(500)).toEqual([{ worker: 1, silentMs: 5_000 }]);
  expect(run(60_000)).toEqual([]);
});

test('a heartbeat between two checks counts from when it came', () => {
  const { liveness, checkAfter, run, wait } = createReady();
  wait(400);
  liveness.heartbeat(1);
  checkAfter(100);
  expect(run(4_500)).toEqual([]);
  expect(run(500)).toEqual([{ worker: 1, silentMs: 5_100 }]);
});

test('a worker that sends heartbeats is never unresponsive; the silence of another is not its own', () => {
  const { liveness, run } = createReady();
  liveness.add(2);
  liveness.ready(2);
  expect(run(120_000, () => liveness.heartbeat(1))).toEqual([{ worker: 2, silentMs: 5_000 }]);
});

test('a starting worker has 30 s to become ready, with or without heartbeats', () => {
  const { liveness, run } = createLiveness();
  liveness.add(1);
  liveness.add(2);
  expect(run(29_500, () => liveness.heartbeat(2))).toEqual([]);
  expect(run(500)).toEqual([
    { worker: 1, silentMs: 30_000 },
    { worker: 2, silentMs: 30_000 },
  ]);
});

test('a worker that becomes ready after 29 s has 5 s for its first heartbeat', () => {
  const { liveness, run } = createLiveness();
  liveness.add(1);
  run(29_000);
  liveness.ready(1);
  expect(run(4_500)).toEqual([]);
  expect(run(500)).toHaveLength(1);
});

test('a worker that has exited or drains is not reported', () => {
  const { liveness, run } = createReady();
  liveness.remove(1);
  liveness.heartbeat(1); // sent before it exited
  liveness.ready(1);
  expect(run(60_000)).toEqual([]);
});

test('a stall of the primary is reported with its duration, from more than 1 s late', () => {
  const { liveness, checkAfter } = createReady();
  expect(checkAfter(1_500)).toEqual({ stalledMs: 0, unresponsive: [] });
  liveness.heartbeat(1);
  expect(checkAfter(1_501)).toEqual({ stalledMs: 1_001, unresponsive: [] });
  liveness.heartbeat(1);
  expect(checkAfter(60_500)).toEqual({ stalledMs: 60_000, unresponsive: [] });
});

test('a worker that was silent before a stall of the primary is reported after 5 s without the stall', () => {
  const { checkAfter, run } = createReady();
  expect(run(3_000)).toEqual([]);
  expect(checkAfter(600_000).unresponsive).toEqual([]);
  expect(run(500)).toEqual([]);
  expect(run(500)).toEqual([{ worker: 1, silentMs: 5_000 }]);
});

test('property: however late the checks are, a worker whose heartbeat arrives before each of them is not reported', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 50 }), (delaysMs) => {
      const { liveness, checkAfter } = createReady();
      for (const delayMs of delaysMs) {
        liveness.heartbeat(1);
        expect(checkAfter(delayMs).unresponsive).toEqual([]);
      }
    }),
    { numRuns: numRuns(200) },
  );
});

test('property: a silent worker is reported after at most 11 checks at or beyond the interval', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 500, max: 100_000 }), { minLength: 11, maxLength: 11 }), (delaysMs) => {
      const { checkAfter } = createReady();
      expect(delaysMs.flatMap((delayMs) => checkAfter(delayMs).unresponsive)).toHaveLength(1);
    }),
    { numRuns: numRuns(200) },
  );
});

test('with an inspector, neither a silent worker nor one that does not become ready is unresponsive; stalls are reported', () => {
  const { liveness, run, checkAfter } = createLiveness(livenessLimits('ws://127.0.0.1:9229/id'));
  liveness.add(1);
  liveness.ready(1);
  liveness.add(2);
  expect(run(3_600_000)).toEqual([]);
  expect(checkAfter(5_000)).toEqual({ stalledMs: 4_500, unresponsive: [] });
});

test('without an inspector, the limits are the default ones', () => {
  expect(livenessLimits(undefined)).toEqual(defaultLiveness);
});
