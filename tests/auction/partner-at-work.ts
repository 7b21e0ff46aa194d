/** A real partner over fake calls; time is what jest says it is. */
import { jest } from '@jest/globals';
import type { HttpCall, LocalBidder, UncheckedBid, RemoteBidder } from '../../src/demand/adapter.ts';
import type { CallPartner } from '../../src/demand/call-partner.ts';
import { type GiveUp, Partner } from '../../src/demand/partner.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';
import { callOf, FakeAsk } from './fake-call-partner.ts';
import { auctionOf } from './fakes.ts';

export interface PartnerOptions {
  timeoutMs?: number | undefined;
  calls?: HttpCall[];
  bidder?: Partial<RemoteBidder> | LocalBidder;
  /** What is put between the partner and its calls. */
  through?: (ask: CallPartner) => CallPartner;
}

/** The answers to its calls are the bids themselves. */
export function createPartner({ timeoutMs, calls = [callOf('/a')], ...options }: PartnerOptions = {}) {
  const { bidder, through = (ask) => ask } = options;
  const fake = new FakeAsk();
  const tmaxes: number[] = [];
  const defects: unknown[] = [];
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
            toBids: (_call, answer) => answer as UncheckedBid[],
            ...bidder,
          },
    ask: through(fake.ask),
    nowMs: () => jest.now(),
    onDefect: (thrown) => defects.push(thrown),
    onIgnoredParam: () => {},
  });
  return { partner, fake, calls, tmaxes, defects };
}

export interface Told {
  offers: UncheckedBid[];
  results: PartnerResult[];
  giveUp: GiveUp | undefined;
}

/** Asks with so much time left; what the one who waits is told. */
export function askPartner(partner: Partner, leftMs = 480): Told {
  const told: Told = { offers: [], results: [], giveUp: undefined };
  told.giveUp = partner.ask(auctionOf(0.25), jest.now() + leftMs, {
    offers: (bids) => told.offers.push(...bids),
    done: (result) => told.results.push(result),
  });
  return told;
}

/** Stands for a defect of ours. */
export const defect = (): never => {
  throw new Error('a defect');
};
