/** The newest of the requests that have waited for a turn leave first; the oldest are given up. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WaitingRoom } from '../../src/overload/waiting-room.ts';

const always = () => true;

test('requests of the current turn are not taken before its end', () => {
  const room = new WaitingRoom<number>();
  room.add(1);
  expect(room.takeNewest()).toBeUndefined();
  expect(room.takeOldest(always)).toBeUndefined();
  room.endTurn();
  expect(room.takeNewest()).toBe(1);
});

test('the newest is taken at one end, the oldest at the other', () => {
  const room = new WaitingRoom<number>();
  for (const request of [1, 2, 3, 4]) room.add(request);
  room.endTurn();
  expect([room.takeNewest(), room.takeOldest(always), room.takeNewest(), room.takeOldest(always)]).toEqual([
    4, 1, 3, 2,
  ]);
  expect(room.length).toBe(0);
});

test('the oldest stays until it is due', () => {
  const room = new WaitingRoom<number>();
  for (const request of [1, 2]) room.add(request);
  room.endTurn();
  const isDue = (request: number) => request < 2;
  expect(room.takeOldest(isDue)).toBe(1);
  expect(room.takeOldest(isDue)).toBeUndefined();
  expect(room.length).toBe(1);
});

test('no request is lost or taken twice', () => {
  const steps = fc.array(fc.constantFrom('add', 'newest', 'oldest', 'end'), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (all) => {
      const room = new WaitingRoom<number>();
      const taken: number[] = [];
      let added = 0;
      const keep = (request: number | undefined) => request !== undefined && taken.push(request);
      for (const step of all) {
        if (step === 'add') room.add(added++);
        else if (step === 'newest') keep(room.takeNewest());
        else if (step === 'oldest') keep(room.takeOldest(always));
        else room.endTurn();
      }
      expect(room.length).toBe(added - taken.length);
      room.endTurn();
      for (let request = room.takeNewest(); request !== undefined; request = room.takeNewest()) taken.push(request);
      expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: added }, (_, index) => index));
    }),
  );
});
