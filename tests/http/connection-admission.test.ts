/** An overloaded worker closes most new connections; afterwards it accepts them again in a slow start. */
import { expect, test } from '@jest/globals';
import { ConnectionAdmission } from '../../src/http/connection-admission.ts';
import { open, start } from '../support/held-exchange.ts';
import { until } from '../support/until.ts';

function createAdmission() {
  const control = { refusesConnections: false, hasIdleTime: false, throughput: 2 };
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
  admission.endTurn(100, 0);
  expect(accepted(100_000)).toBe(100_000);
});

test('in overload as many are accepted as requests are served', () => {
  const { control, admission, accepted } = createAdmission();
  control.refusesConnections = true;
  const steps = [500, 501, 501.5, 511, 1_211].map((nowMs) => {
    admission.endTurn(nowMs, 0);
    return accepted(100_000);
  });
  expect(steps).toEqual([0, 2, 1, 19, 20]); // no more at once than are served in 10 ms
});

test.each<[string, number, number, number, boolean?]>([
  ['few requests wait, there is room for the rest of what is served in 10 ms', 500, 15, 5],
  ['more wait, one in sixteen is accepted', 500, 20, 1],
  ['more wait for a moment, it is tried whether there is room for all', 1_600, 20, 16],
  ['more wait, and the worker has idle time, there is room for the rest of what is served in 30 ms', 500, 50, 10, true],
])('in overload, if %s', (_state, nowMs, waiting, expected, hasIdleTime = false) => {
  const { control, admission, accepted } = createAdmission();
  Object.assign(control, { refusesConnections: true, hasIdleTime });
  admission.endTurn(nowMs, waiting);
  admission.endTurn(nowMs + 8, waiting); // 16 were served
  expect(accepted(100_000)).toBe(expected);
});

test('in overload, a worker with idle time accepts more than it is believed to serve', () => {
  const { control, admission, accepted } = createAdmission();
  Object.assign(control, { refusesConnections: true, hasIdleTime: true });
  for (let turn = 0; turn < 3; turn++) {
    admission.endTurn(500, 0);
    expect(accepted(100)).toBe(60);
  }
});

test('in overload, if many requests wait, fewer than sixteen served requests are not enough for another connection', () => {
  const { control, admission, accepted } = createAdmission();
  control.refusesConnections = true;
  admission.endTurn(500, 20);
  admission.endTurn(507, 20); // 14 were served
  expect(accepted(100_000)).toBe(0);
});

test('in overload connections are accepted however little is served', () => {
  const { control, admission, accepted } = createAdmission();
  Object.assign(control, { refusesConnections: true, throughput: 0.01 });
  admission.endTurn(0, 0);
  admission.endTurn(99, 0);
  expect(accepted(100)).toBe(0);
  admission.endTurn(100, 0);
  expect(accepted(100)).toBe(1);
});

test('after an overload as many are accepted as are served, then twice as many per interval, then all', () => {
  const { control, admission, accepted } = createAdmission();
  control.refusesConnections = true;
  admission.endTurn(0, 0);
  control.refusesConnections = false;
  const steps = [1, 50, 101, 201, 301, 401].map((nowMs) => {
    admission.endTurn(nowMs, 0);
    return accepted(100_000);
  });
  expect(steps).toEqual([200, 0, 400, 800, 1_600, 3_200]);
  admission.endTurn(501, 0);
  expect(accepted(100_000)).toBe(100_000);
});

test('after an overload at least 16 are accepted', () => {
  const { control, admission, accepted } = createAdmission();
  Object.assign(control, { refusesConnections: true, throughput: 0.01 });
  admission.endTurn(0, 0);
  control.refusesConnections = false;
  admission.endTurn(1, 0);
  expect(accepted(100)).toBe(16);
});

test('a new overload starts again', () => {
  const { control, admission, accepted } = createAdmission();
  for (const startMs of [0, 1_000]) {
    control.refusesConnections = true;
    admission.endTurn(startMs, 0);
    control.refusesConnections = false;
    admission.endTurn(startMs + 100, 0);
    expect(accepted(1_000)).toBe(200);
  }
});

test('admission control learns of the connections that are refused', async () => {
  const { control, exchange, port } = await start();
  const dropped: unknown[][] = [];
  exchange.server.on('drop', (...addresses) => dropped.push(addresses));
  control.throughput = 0;
  control.refusesConnections = true;
  const first = await open(port); // the turn after it refuses
  const second = await open(port);
  await until('a connection is closed', () => first.socket.destroyed || second.socket.destroyed);
  expect(control.refused).toBeGreaterThan(0);
  expect(dropped[0]).toEqual([]); // node:net was not asked: it would have read the addresses
});
