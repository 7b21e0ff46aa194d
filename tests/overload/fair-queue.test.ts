/** Clients take turns, those that have used less first, the newest request of each first; what expires or exceeds a client's share is given up, oldest first. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lightMs } from '../../src/overload/client-usage.ts';
import { FairQueue } from '../../src/overload/fair-queue.ts';

const never = () => false;
/** Of a client that does not use little. */
const much = () => lightMs;

const queueOf = (...requests: [client: string, request: number][]) => queueOfUsers(much, ...requests);

function queueOfUsers(usedMs: (client: string) => number, ...requests: [string, number][]): FairQueue<number> {
  const queue = new FairQueue<number>(usedMs);
  for (const [client, request] of requests) queue.add(client, request);
  queue.endTurn();
  return queue;
}

const seven = (client: string) => [1, 2, 3, 4, 5, 6, 7].map((request): [string, number] => [client, request]);

function takeAll(queue: FairQueue<number>): number[] {
  const taken: number[] = [];
  for (let request = queue.take('newest'); request !== undefined; request = queue.take('newest')) taken.push(request);
  return taken;
}

test('requests of the current turn are not taken before its end', () => {
  const queue = new FairQueue<number>(much);
  queue.add('a', 1);
  expect(queue.take('newest')).toBeUndefined();
  expect([...queue.takeExcess(0, () => true)]).toEqual([]);
  queue.endTurn();
  expect(queue.take('newest')).toBe(1);
});

test('the newest request of a client is taken first', () => {
  expect(takeAll(queueOf(['a', 1], ['a', 2], ['a', 3]))).toEqual([3, 2, 1]);
});

test('a client that sends much delays no other', () => {
  expect(takeAll(queueOf(['a', 1], ['a', 2], ['a', 3], ['b', 4]))).toEqual([3, 4, 2, 1]);
});

test('a client that has used less is served before those that have used more', () => {
  const used = new Map([
    ['a', 40],
    ['b', 10],
    ['c', 20],
  ]);
  const queue = new FairQueue<number>((client) => used.get(client)!);
  for (const [index, client] of ['a', 'b', 'c'].entries()) queue.add(client, index);
  queue.endTurn();
  expect(takeAll(queue)).toEqual([1, 2, 0]);
});

test('clients that have used about the same take turns, however late their usage is counted', () => {
  const used = new Map([
    ['a', 31],
    ['b', 17],
  ]);
  const queue = queueOfUsers((client) => used.get(client)!, ['a', 1], ['a', 2], ['b', 3], ['b', 4], ['b', 5]);
  expect(takeAll(queue)).toEqual([2, 5, 1, 4, 3]);
});

test('clients that have used the same take turns', () => {
  const requests = ['a', 'b', 'c'].flatMap((client, at): [string, number][] => [
    [client, at],
    [client, at + 10],
  ]);
  expect(takeAll(queueOf(...requests))).toEqual([10, 11, 12, 0, 1, 2]);
});

test('a client that exceeds its share of the limit loses its oldest requests', () => {
  const queue = queueOf(...seven('a'), ['b', 8]);
  expect([...queue.takeExcess(12, never)]).toEqual([1]);
  expect(queue.length).toBe(7);
});

test('a client has room until it has its share, in this turn too', () => {
  const queue = queueOf(...seven('a'), ['b', 8]);
  expect(queue.hasRoom('a', 14)).toBe(false);
  expect(queue.hasRoom('a', 16)).toBe(true);
  queue.add('a', 9);
  expect(queue.hasRoom('a', 16)).toBe(false);
  expect(queue.hasRoom('b', 16)).toBe(true);
});

test('a client may have four requests waiting, whatever the limit', () => {
  expect([...queueOf(...seven('a'), ['b', 8]).takeExcess(0, never)]).toEqual([1, 2, 3]);
});

const little = () => lightMs - 1;
const many = (client: string, count: number) =>
  Array.from({ length: count }, (_, request): [string, number] => [client, request]);

test('a client that has used little may have sixteen requests waiting, whatever the limit', () => {
  const queue = queueOfUsers(little, ...many('a', 15));
  expect(queue.hasRoom('a', 0)).toBe(true);
  queue.add('a', 15);
  expect(queue.hasRoom('a', 0)).toBe(false);
  expect([...queueOfUsers(little, ...many('a', 18)).takeExcess(0, never)]).toEqual([0, 1]);
});

test('a request may expire later if its client has used little', () => {
  const usedMs = (client: string) => (client === 'light' ? little() : much());
  const queue = queueOfUsers(usedMs, ['light', 1], ['heavy', 2]);
  expect([...queue.takeExcess(100, (_request, isLight) => !isLight)]).toEqual([2]);
});

test('among many clients, those that have used little have no advantage', () => {
  const others = Array.from({ length: 63 }, (_, index): [string, number] => [`client ${index}`, 100 + index]);
  const queue = queueOfUsers(little, ...many('a', 5), ...others);
  expect([...queue.takeExcess(0, never)]).toEqual([0]);
  const isLight: boolean[] = [];
  expect([...queue.takeExcess(100, (_request, light) => isLight.push(light) < 0)]).toEqual([]);
  expect(new Set(isLight)).toEqual(new Set([false]));
});

test('others wait if a client waits that is not the one that asks', () => {
  const queue = queueOf(['a', 1]);
  expect([queue.hasOthers('a'), queue.hasOthers('b'), queueOf().hasOthers('a')]).toEqual([false, true, false]);
  queue.add('b', 2);
  expect(queue.hasOthers('a')).toBe(true);
});

test('a client is before others if it has used little, and one that waits at least twice as much', () => {
  const used: Record<string, number> = { least: 5, little: 20, more: 30, twice: 40, much: 200, most: 400 };
  const isBeforeOthers = (client: string, ...waiting: string[]) =>
    queueOfUsers(
      (name) => used[name]!,
      ...waiting.map((name, index): [string, number] => [name, index]),
    ).isBeforeOthers(client);
  expect(isBeforeOthers('little')).toBe(false);
  expect(isBeforeOthers('little', 'little', 'more')).toBe(false);
  expect(isBeforeOthers('little', 'more', 'twice')).toBe(true);
  expect(isBeforeOthers('least', 'little', 'more')).toBe(false); // both have used little
  expect(isBeforeOthers('least', 'twice')).toBe(true);
  expect(isBeforeOthers('much', 'most')).toBe(false);
});

test('many clients together keep to the limit', () => {
  const clients = Array.from({ length: 64 }, (_, index): [string, number] => [`client ${index}`, index]);
  expect(queueOf(...clients).hasRoom('another', 64)).toBe(false);
  expect(queueOf(...clients).hasRoom('another', 65)).toBe(true);
  expect(queueOf(...clients.slice(1)).hasRoom('another', 10)).toBe(true);
});

test('requests of clients that have used little may be taken in their turn', () => {
  const queue = new FairQueue<number>((client) => (client === 'light' ? 5 : 200));
  queue.add('heavy', 1);
  queue.add('light', 2);
  queue.promote(100);
  expect(takeAll(queue)).toEqual([2]);
  queue.endTurn();
  expect(takeAll(queue)).toEqual([1]);
});

test('an expired request is given up, whatever the limit', () => {
  expect([...queueOf(['a', 1], ['a', 2], ['b', 3]).takeExcess(100, (request) => request !== 2)]).toEqual([1, 3]);
});

test('giving up may stop at any request, and go on later', () => {
  const queue = queueOf(...seven('a'));
  for (const request of queue.takeExcess(1, never)) {
    expect(request).toBe(1);
    break;
  }
  expect([...queue.takeExcess(1, never)]).toEqual([2, 3]);
});

test('no request is lost or taken twice', () => {
  const steps = fc.array(fc.constantFrom('add a', 'add b', 'newest', 'excess', 'end'), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (all) => {
      const queue = new FairQueue<number>(much);
      const taken: number[] = [];
      let added = 0;
      for (const step of all) {
        if (step.startsWith('add')) queue.add(step, added++);
        else if (step === 'excess') taken.push(...queue.takeExcess(2, (request) => request % 5 === 0));
        else if (step === 'end') queue.endTurn();
        else {
          const newest = queue.take('newest');
          if (newest !== undefined) taken.push(newest);
        }
      }
      expect(queue.length).toBe(added - taken.length);
      queue.endTurn();
      taken.push(...takeAll(queue));
      expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: added }, (_, index) => index));
    }),
  );
});
