/** A real partner over fake calls; jest sets the time. */
import { jest } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BidderCall, LocalBidder, RemoteBidder, UncheckedBid } from '../../src/demand/adapter.ts';
import { Cancellation } from '../../src/demand/cancellation.ts';
import { type CallOutcome, Partner } from '../../src/demand/partner.ts';
import type { QpsLimiter } from '../../src/demand/qps-limiter.ts';
import { auctionOf } from '../auction/fakes.ts';
import { callOf, FakeCallPartner } from './fake-call-partner.ts';

export interface PartnerOptions {
  timeoutMs?: number | undefined;
  calls?: BidderCall[];
  roundTripMs?: number;
  localLimiter?: QpsLimiter;
  bidder?: Partial<RemoteBidder> | LocalBidder;
}

/** The body of a response is the list of bids. */
export function createPartner({
  timeoutMs,
  calls = [callOf('/a')],
  roundTripMs = 0,
  localLimiter,
  bidder,
}: PartnerOptions = {}) {
  const fake = new FakeCallPartner();
  const tmaxes: number[] = [];
  const ignoredParams: string[] = [];
  const partner = new Partner({
    settings: { name: 'a', adapter: 'fake', test: false, ...(timeoutMs !== undefined && { timeoutMs }) },
    bidder:
      bidder && 'bidLocally' in bidder
        ? bidder
        : {
            toRequests: (_auction, tmaxMs) => {
              tmaxes.push(tmaxMs);
              return calls;
            },
            toBids: (_call, body) => body as UncheckedBid[],
            ...bidder,
          },
    callPartner: fake.callPartner,
    localLimiter,
    learnedTimes: { deadlineMs: Infinity, roundTripMs },
    nowMs: () => jest.now(),
    onIgnoredParam: (param) => ignoredParams.push(param),
  });
  return { partner, fake, tmaxes, ignoredParams };
}

/** Requests bids with `leftMs` until the deadline. `settled` lists the outcomes so far, in order of arrival. */
export function requestBids(partner: Partner, leftMs = 480, softLeftMs = leftMs) {
  const cancellation = new Cancellation();
  const settled: CallOutcome[] = [];
  const now = jest.now();
  const deadline = { hardAtMs: now + leftMs, softAtMs: now + softLeftMs };
  const outcomes = partner.requestBids(auctionOf(0.25), deadline, cancellation);
  for (const outcome of outcomes) {
    if (outcome instanceof Promise) void outcome.then((value) => settled.push(value));
    else settled.push(outcome);
  }
  return { outcomes, settled, cancellation };
}

export { nextTurn };
