/** An overloaded worker closes most new connections; afterwards it accepts them again in a slow start. */
import { expect, test } from '@jest/globals';
import { ConnectionAdmission } from '../../src/http/connection-admission.ts';

function createAdmission() {
  const control = { refusesConnections: false, throughput: 2 };
  const server = { maxConnections: Infinity };
  const admission = new ConnectionAdmission(server, control);
  /** Connections arrive until they are refused, or `most` have come. */
  const accepted = (most: number): number => {
    let count = 0;
    while (server.maxConnections > 0 && count < most) {
      count++;
      admission.countConnection();
    }
    return count;
  };
  return { control, server, admission, accepted };
}

test('without overload all connections are accepted', () => {
  const { admission, accepted } = createAdmission();
  admission.endTurn(100);
  expect(accepted(100_000)).toBe(100_000);
});

test('in overload: those that wait are closed until none is left, then the work of 25 ms is accepted, and so on', () => {
  const { control, admission, accepted } = createAdmission();
  const turn = (nowMs: number, hasDropped: boolean) => {
    if (hasDropped) admission.countDropped();
    admission.endTurn(nowMs);
    return { isDraining: admission.isDraining, accepted: accepted(100_000) };
  };
  control.refusesConnections = true;
  expect(turn(100, false)).toEqual({ isDraining: true, accepted: 0 });
  expect(turn(101, true)).toEqual({ isDraining: true, accepted: 0 });
  expect(turn(102, false)).toEqual({ isDraining: false, accepted: 50 });
  expect(turn(103, false)).toEqual({ isDraining: true, accepted: 0 });
  expect(turn(127, true)).toEqual({ isDraining: true, accepted: 0 });
  expect(turn(128, true)).toEqual({ isDraining: false, accepted: 50 }); // 25 ms are over
});

test('in overload: few connections are accepted for no longer than 25 ms', () => {
  const { control, admission, accepted } = createAdmission();
  control.refusesConnections = true;
  admission.endTurn(0);
  admission.endTurn(1);
  expect(accepted(3)).toBe(3);
  admission.endTurn(25);
  expect(admission.isDraining).toBe(false);
  admission.endTurn(26);
  expect(admission.isDraining).toBe(true);
});

test('in overload: at least 4 are accepted, however little is served', () => {
  const { control, admission, accepted } = createAdmission();
  Object.assign(control, { refusesConnections: true, throughput: 0 });
  admission.endTurn(0);
  admission.endTurn(1);
  expect(accepted(100_000)).toBe(4);
});

test('after an overload 16 are accepted, then twice as many per interval, then all', () => {
  const { control, admission, accepted } = createAdmission();
  control.refusesConnections = true;
  admission.endTurn(0);
  control.refusesConnections = false;
  const steps = [1, 50, 101, 201, 301].map((nowMs) => {
    admission.endTurn(nowMs);
    return accepted(100_000);
  });
  expect(steps).toEqual([16, 0, 32, 64, 128]);
  for (let nowMs = 401; nowMs <= 1_101; nowMs += 100) admission.endTurn(nowMs);
  expect(accepted(100_000)).toBe(100_000);
});

test('a new overload starts again with 16', () => {
  const { control, admission, accepted } = createAdmission();
  for (const startMs of [0, 1_000]) {
    control.refusesConnections = true;
    admission.endTurn(startMs);
    control.refusesConnections = false;
    admission.endTurn(startMs + 100);
    expect(accepted(100)).toBe(16);
  }
});
