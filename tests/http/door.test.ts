/** An overloaded worker closes new connections; afterwards it lets them in step by step. */
import { expect, test } from '@jest/globals';
import { Door } from '../../src/http/door.ts';

function createDoor() {
  const control = { refusesConnections: false };
  const state = { isOpen: true };
  const door = new Door({ open: () => (state.isOpen = true), close: () => (state.isOpen = false) }, control);
  /** Connections arrive until the door closes, or `most` have come. */
  const admitted = (most: number): number => {
    let count = 0;
    while (state.isOpen && count < most) {
      count++;
      door.countConnection();
    }
    return count;
  };
  return { control, state, door, admitted };
}

test('without overload the door stays open', () => {
  const { door, admitted } = createDoor();
  door.endTurn(100);
  expect(admitted(100_000)).toBe(100_000);
});

test('the door is closed while the worker is overloaded', () => {
  const { control, state, door } = createDoor();
  control.refusesConnections = true;
  door.endTurn(100);
  expect(state.isOpen).toBe(false);
  door.endTurn(1_000);
  expect(state.isOpen).toBe(false);
});

test('after an overload it opens for 16 connections, then for twice as many per interval, then for all', () => {
  const { control, door, admitted } = createDoor();
  control.refusesConnections = true;
  door.endTurn(0);
  control.refusesConnections = false;
  door.endTurn(99);
  expect(admitted(100_000)).toBe(0);
  const steps = [100, 150, 200, 300, 400].map((nowMs) => {
    door.endTurn(nowMs);
    return admitted(100_000);
  });
  expect(steps).toEqual([16, 0, 32, 64, 128]);
  for (let nowMs = 500; nowMs <= 1_100; nowMs += 100) door.endTurn(nowMs);
  expect(admitted(100_000)).toBe(100_000);
});

test('a new overload starts again with 16', () => {
  const { control, door, admitted } = createDoor();
  for (const startMs of [0, 1_000]) {
    control.refusesConnections = true;
    door.endTurn(startMs);
    control.refusesConnections = false;
    door.endTurn(startMs + 100);
    expect(admitted(100)).toBe(16);
  }
});
