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

test('while the worker refuses them, one is accepted per two requests that it serves', () => {
  const { control, admission, accepted } = createAdmission();
  control.refusesConnections = true;
  admission.endTurn(100);
  expect(accepted(100_000)).toBe(0);
  const steps = [200, 250, 300].map((nowMs) => {
    admission.endTurn(nowMs);
    return accepted(100_000);
  });
  expect(steps).toEqual([100, 0, 100]);
});

test('after an overload 16 are accepted, then twice as many per interval, then all', () => {
  const { control, admission, accepted } = createAdmission();
  control.refusesConnections = true;
  admission.endTurn(0);
  control.refusesConnections = false;
  admission.endTurn(99);
  expect(accepted(100_000)).toBe(0);
  const steps = [100, 150, 200, 300, 400].map((nowMs) => {
    admission.endTurn(nowMs);
    return accepted(100_000);
  });
  expect(steps).toEqual([16, 0, 32, 64, 128]);
  for (let nowMs = 500; nowMs <= 1_100; nowMs += 100) admission.endTurn(nowMs);
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
