/** How long an auction waits if it has learned how long each partner is worth waiting for. */
import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { numRuns } from '../support/num-runs.ts';
import { advanceTo, hardMs, nextTurn, softMs, start, startMs, useAuctionClock } from './auction-clock.ts';
import { bidOf, FakePartner } from './fakes.ts';

useAuctionClock();

const unlikely = (name: string) => withDeadline(name, 0);
const withDeadline = (name: string, deadlineMs: number) => Object.assign(new FakePartner(name), { deadlineMs });

test('an auction ends when all that are worth waiting for have responded', async () => {
  const [a, hung] = [withDeadline('a', 40), unlikely('hung')];
  const { endedAtMs, results } = start([a, hung]);
  await advanceTo(7);
  a.bids(bidOf(1));
  await nextTurn();
  expect(endedAtMs()).toBe(7);
  expect(results()).toEqual(['bid', 'late']);
  expect(jest.getTimerCount()).toBe(0);
});

test('an auction with a bid in memory does not wait for an unlikely partner', async () => {
  const house = new FakePartner('house').respondsImmediately('bid', bidOf(1));
  house.deadlineMs = undefined;
  const { run, endedAtMs } = start([house, unlikely('hung')]);
  await nextTurn();
  expect(endedAtMs()).toBe(0);
  expect(run.ended!.outcomes.map(({ deadlineMs }) => deadlineMs)).toEqual([undefined, 0]);
});

test('the bid of an unlikely partner counts if it arrives while others are waited for', async () => {
  const [a, slow] = [withDeadline('a', 40), unlikely('slow')];
  const { run, endedAtMs } = start([a, slow]);
  await advanceTo(5);
  slow.bids(bidOf(2));
  await advanceTo(30);
  expect(endedAtMs()).toBeUndefined();
  a.bids(bidOf(1));
  await nextTurn();
  expect(run.ended!.outcomes.map(({ validBids }) => validBids.length)).toEqual([1, 1]);
});

test('each is waited for until its own deadline, not longer', async () => {
  const [a, b, c] = [withDeadline('a', 60), withDeadline('b', 40), withDeadline('c', 20)];
  const { endedAtMs, results } = start([a, b, c]);
  await advanceTo(5);
  a.bids(bidOf(1));
  await advanceTo(20);
  await advanceTo(39);
  expect(endedAtMs()).toBeUndefined();
  await advanceTo(40);
  expect(endedAtMs()).toBe(40);
  expect(results()).toEqual(['bid', 'late', 'late']);
  expect(jest.getTimerCount()).toBe(0);
});

test('a bid that arrives when all other deadlines have passed ends the auction', async () => {
  const [a, b] = [withDeadline('a', 60), withDeadline('b', 20)];
  const { endedAtMs } = start([a, b]);
  await advanceTo(50);
  a.bids(bidOf(1));
  await nextTurn();
  expect(endedAtMs()).toBe(50);
});

test('no deadline ends an auction without a valid bid: all are waited for until the hard deadline', async () => {
  const [a, b, hung] = [withDeadline('a', 40), withDeadline('b', 40), unlikely('hung')];
  const { endedAtMs, results } = start([a, b, hung]);
  a.respond('no_bid');
  b.bids(bidOf(0.1)); // below the floor
  await advanceTo(softMs);
  await advanceTo(hardMs - 1);
  expect(endedAtMs()).toBeUndefined();
  await advanceTo(hardMs);
  expect(endedAtMs()).toBe(hardMs);
  expect(results()).toEqual(['no_bid', 'bid', 'timeout']);
});

test('only unlikely ones: the first valid bid ends the auction', async () => {
  const [a, b] = [unlikely('a'), unlikely('b')];
  const { endedAtMs, results } = start([a, b]);
  await advanceTo(300);
  a.bids(bidOf(1));
  await nextTurn();
  expect(endedAtMs()).toBe(300);
  expect(results()).toEqual(['bid', 'late']);
});

test('responses that arrive together count, even if the process was stalled beyond their deadlines', async () => {
  const [a, b] = [withDeadline('a', 40), withDeadline('b', 40)];
  const { run } = start([a, b]);
  await advanceTo(100);
  a.bids(bidOf(1));
  b.bids(bidOf(2));
  await nextTurn();
  expect(run.ended!.outcomes.map(({ result }) => result)).toEqual(['bid', 'bid']);
});

test('a deadline beyond the soft budget is the soft budget', async () => {
  const [a, slow] = [withDeadline('a', 1_000), withDeadline('slow', 1_000)];
  const { run, endedAtMs } = start([a, slow]);
  a.bids(bidOf(1));
  await nextTurn();
  await advanceTo(softMs);
  expect(endedAtMs()).toBe(softMs);
  expect(run.ended!.outcomes[1]!.deadlineMs).toBe(softMs);
});

interface Plan {
  deadlineMs: number;
  /** Undefined: it never responds. */
  responseMs: number | undefined;
  price: number;
}

/** Plays the plans, one response per millisecond at most, and returns when the auction ended and what it got. */
async function play(plans: readonly Plan[]) {
  const partners = plans.map(({ deadlineMs }, index) => withDeadline(`p${index}`, deadlineMs));
  const { run } = start(partners);
  const times = plans.flatMap(({ responseMs, deadlineMs }) => [responseMs ?? hardMs, Math.min(deadlineMs, softMs)]);
  for (const ms of [...new Set([...times, hardMs])].toSorted((a, b) => a - b)) {
    if (ms > 0) await advanceTo(ms);
    for (const [index, plan] of plans.entries()) if (plan.responseMs === ms) partners[index]!.bids(bidOf(plan.price));
    await nextTurn();
    if (run.ended) break;
  }
  jest.setSystemTime(startMs);
  return run.ended!;
}

const planOf = (deadlineMs: fc.Arbitrary<number>, responseMs: fc.Arbitrary<number | undefined>) =>
  fc.record({ deadlineMs, responseMs, price: fc.constantFrom(0.1, 0.5, 1, 2) });

test('never end an auction before a partner worth waiting for has responded, nor after all of them have', async () => {
  const plan = planOf(
    fc.integer({ min: 0, max: 200 }),
    fc.option(fc.integer({ min: 1, max: 479 }), { nil: undefined }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 5 }), async (plans) => {
      const { atMs, outcomes } = await play(plans);
      const open = plans.filter(({ responseMs = Infinity }) => responseMs > atMs);
      const hasValidBid = outcomes.some(({ validBids }) => validBids.length > 0);
      if (atMs < hardMs && open.length > 0) {
        expect(hasValidBid).toBe(true);
        expect(Math.max(...open.map(({ deadlineMs }) => Math.min(deadlineMs, softMs)))).toBeLessThanOrEqual(atMs);
      }
      const endsAtMs = plans.map(({ responseMs = Infinity, deadlineMs }) => Math.min(responseMs, deadlineMs, softMs));
      if (hasValidBid) {
        const firstMs = Math.min(
          ...plans.map(({ responseMs = Infinity, price }) => (price < 0.25 ? Infinity : responseMs)),
        );
        expect(atMs).toBe(Math.max(firstMs, ...endsAtMs));
      }
    }),
    { numRuns: numRuns(150) },
  );
});

test('make no difference if every partner responds before its deadline', async () => {
  const plan = planOf(fc.integer({ min: 51, max: 150 }), fc.integer({ min: 1, max: 50 }));
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 5 }), async (plans) => {
      const learned = await play(plans);
      const fixed = await play(plans.map((one) => ({ ...one, deadlineMs: Infinity })));
      const summary = ({ atMs, outcomes }: typeof learned) => [
        atMs,
        ...outcomes.map(({ result, durationMs, validBids }) => [
          result,
          durationMs,
          validBids.map((b) => b.priceMicros),
        ]),
      ];
      expect(summary(learned)).toEqual(summary(fixed));
    }),
    { numRuns: numRuns(100) },
  );
});
