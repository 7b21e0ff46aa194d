/** Clients take turns, the newest request of each first; what expires or exceeds a client's share is given up, oldest first. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WaitingRoom } from '../../src/overload/waiting-room.ts';

const never = () => false;

function roomOf(...requests: [client: string, request: number][]): WaitingRoom<number> {
  const room = new WaitingRoom<number>();
  for (const [client, request] of requests) room.add(client, request);
  room.endTurn();
  return room;
}

const seven = (client: string) => [1, 2, 3, 4, 5, 6, 7].map((request): [string, number] => [client, request]);

function takeAll(room: WaitingRoom<number>): number[] {
  const taken: number[] = [];
  for (let request = room.takeNewest(); request !== undefined; request = room.takeNewest()) taken.push(request);
  return taken;
}

test('requests of the current turn are not taken before its end', () => {
  const room = new WaitingRoom<number>();
  room.add('a', 1);
  expect(room.takeNewest()).toBeUndefined();
  expect([...room.takeExcess(0, () => true)]).toEqual([]);
  room.endTurn();
  expect(room.takeNewest()).toBe(1);
});

test('the newest request of a client is taken first', () => {
  expect(takeAll(roomOf(['a', 1], ['a', 2], ['a', 3]))).toEqual([3, 2, 1]);
});

test('a client that sends much delays no other', () => {
  expect(takeAll(roomOf(['a', 1], ['a', 2], ['a', 3], ['b', 4]))).toEqual([3, 4, 2, 1]);
});

test('a client that exceeds its share of the limit loses its oldest requests', () => {
  const room = roomOf(...seven('a'), ['b', 8]);
  expect([...room.takeExcess(12, never)]).toEqual([1]);
  expect(room.length).toBe(7);
});

test('a client may have four requests waiting, whatever the limit', () => {
  expect([...roomOf(...seven('a'), ['b', 8]).takeExcess(0, never)]).toEqual([1, 2, 3]);
});

test('an expired request is given up, whatever the limit', () => {
  expect([...roomOf(['a', 1], ['a', 2], ['b', 3]).takeExcess(100, (request) => request !== 2)]).toEqual([1, 3]);
});

test('giving up may stop at any request, and go on later', () => {
  const room = roomOf(...seven('a'));
  for (const request of room.takeExcess(1, never)) {
    expect(request).toBe(1);
    break;
  }
  expect([...room.takeExcess(1, never)]).toEqual([2, 3]);
});

test('no request is lost or taken twice', () => {
  const steps = fc.array(fc.constantFrom('add a', 'add b', 'newest', 'excess', 'end'), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (all) => {
      const room = new WaitingRoom<number>();
      const taken: number[] = [];
      let added = 0;
      for (const step of all) {
        if (step.startsWith('add')) room.add(step, added++);
        else if (step === 'excess') taken.push(...room.takeExcess(2, (request) => request % 5 === 0));
        else if (step === 'end') room.endTurn();
        else {
          const newest = room.takeNewest();
          if (newest !== undefined) taken.push(newest);
        }
      }
      expect(room.length).toBe(added - taken.length);
      room.endTurn();
      taken.push(...takeAll(room));
      expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: added }, (_, index) => index));
    }),
  );
});
