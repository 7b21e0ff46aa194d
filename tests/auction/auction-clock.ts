/** Auctions among fake partners whose time passes when the test says so. */
import { afterEach, beforeEach, jest } from '@jest/globals';
import { setImmediate as immediate } from 'node:timers/promises';
import { collectBids, type PartnerOutcome } from '../../src/auction/collect-bids.ts';
import { asPartners, auctionOf, FakePartner, inUsd } from './fakes.ts';

export const startMs = 1_000_000;
export const softMs = 150;
export const hardMs = 480;
export const auction = auctionOf(0.25);

export function useAuctionClock(): void {
  beforeEach(
    () => void jest.useFakeTimers({ now: startMs, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }),
  );
  afterEach(() => void jest.useRealTimers());
}

export const partnersOf = (...names: string[]) => names.map((name) => new FakePartner(name));

/** Starts an auction; `ended` is set when it is over. */
export function start(partners: FakePartner[], budgets = { softMs, hardMs }) {
  const deadline = { softAtMs: startMs + budgets.softMs, hardAtMs: startMs + budgets.hardMs };
  const auctionRun: { ended?: { atMs: number; outcomes: PartnerOutcome[] }; defect?: unknown } = {};
  collectBids(asPartners(partners), auction, { deadline, ...inUsd }, () => jest.now()).then(
    (outcomes) => (auctionRun.ended = { atMs: jest.now() - startMs, outcomes }),
    (defect: unknown) => (auctionRun.defect = defect),
  );
  return {
    run: auctionRun,
    endedAtMs: () => auctionRun.ended?.atMs,
    results: () => auctionRun.ended?.outcomes.map(({ result }) => result),
  };
}

/** A response is handled in one turn of the event loop, and the auction that it ends in the next. */
export async function nextTurn(): Promise<void> {
  await immediate();
  await immediate();
}

/** Advances to that many milliseconds after the start, and through the turn of the event loop in which timers act. */
export async function advanceTo(ms: number): Promise<void> {
  jest.advanceTimersByTime(startMs + ms - jest.now());
  await nextTurn();
}
