/** Simulates auctions of one worker with the exchange's own code: only the partners' responses and the time are made up. */
import { collectBids, type PartnerOutcome } from '../../../src/auction/collect-bids.ts';
import { deadlineOf } from '../../../src/auction/deadline.ts';
import type { Auction, BidderCall, UncheckedBid } from '../../../src/demand/adapter.ts';
import type { CallPartner, PartnerResponse } from '../../../src/demand/call-partner.ts';
import { protectCalls } from '../../../src/demand/create-partners.ts';
import { Partner } from '../../../src/demand/partner.ts';
import { ResponseTimes } from '../../../src/demand/response-times.ts';
import { usdOnly } from '../../../src/money/rates.ts';
import { usd } from '../../../src/money/response-price.ts';
import { type Random, seededRandom } from '../../lib/random.ts';
import { reliablePartners, type Scenario, type SimulatedPartner, studied } from './scenarios.ts';
import { VirtualTime } from './virtual-time.ts';

/** `learned`: the soft budget is 150 ms, and deadlines are learned. A number: a fixed soft budget, with which all calls end. */
export type Policy = 'learned' | number;

export interface SimulatedAuction {
  latencyMs: number;
  /** The highest valid bid in dollars, 0 if there is none. */
  revenue: number;
  /** How long the partner under study was worth waiting for. */
  deadlineMs: number;
  outcomes: readonly PartnerOutcome[];
}

const softTimeoutMs = 150;
const timeoutMs = 500;
/** Between two auctions: 50 per second. */
const intervalMs = 20;

/** The auctions in the order of their arrival. The same seed gives the same traffic. */
export async function simulate(scenario: Scenario, policy: Policy, count: number): Promise<SimulatedAuction[]> {
  const budgets = { timeoutMs, softTimeoutMs: policy === 'learned' ? softTimeoutMs : policy };
  const auctions: SimulatedAuction[] = [];
  const time = new VirtualTime();
  const nowMs = () => time.nowMs;
  const startedAtMs = 1_000;
  const progress = () => (time.nowMs - startedAtMs) / (count * intervalMs);
  const partners = [...reliablePartners, studied(scenario)].map((partner, index) =>
    createPartner(partner, policy === 'learned', { time, progress, budgets, random: seededRandom(index) }),
  );
  const runOne = async (index: number) => {
    const arrivedAtMs = time.nowMs;
    const deadline = deadlineOf(arrivedAtMs, undefined, budgets);
    const outcomes = await collectBids(partners, auction, { deadline, rates: usdOnly, currency: usd }, nowMs);
    const prices = outcomes.flatMap(({ validBids }) => validBids.map(({ priceMicros }) => priceMicros / 1_000_000));
    const { deadlineMs = 0 } = outcomes.at(-1)!;
    auctions[index] = { latencyMs: time.nowMs - arrivedAtMs, revenue: Math.max(0, ...prices), deadlineMs, outcomes };
  };
  const arrive = (index: number) => {
    void runOne(index);
    if (index + 1 < count) time.at(startedAtMs + (index + 1) * intervalMs, () => arrive(index + 1));
  };
  await time.run(() => void time.at(startedAtMs, () => arrive(0)));
  return auctions;
}

interface Simulation {
  time: VirtualTime;
  progress: () => number;
  budgets: { timeoutMs: number; softTimeoutMs: number };
  random: Random;
}

function createPartner(simulated: SimulatedPartner, learns: boolean, simulation: Simulation): Partner {
  const { time, budgets, random } = simulation;
  const nowMs = () => time.nowMs;
  const times = new ResponseTimes(budgets.softTimeoutMs);
  const settings = { name: simulated.name, adapter: 'simulated', test: false };
  const environment = {
    workers: 1,
    workerIndex: 0,
    nowMs,
    random: () => 0.5,
    budgets: learns ? budgets : { ...budgets, timeoutMs: 0 }, // no call outlives its auction
    onCircuitState: () => {},
  };
  return new Partner({
    settings,
    bidder: {
      toRequests: () => [call],
      toBids: (_call, body) => body as UncheckedBid[],
    },
    callPartner: protectCalls(respondWith(simulated, simulation, random), times, settings, environment),
    learnedTimes: {
      get deadlineMs() {
        return learns ? times.deadlineMs : Infinity;
      },
      roundTripMs: 0,
    },
    nowMs,
    onIgnoredParam: () => {},
  });
}

/** Every call draws the same numbers, whether it succeeds or not, so that all policies see the same responses. */
function respondWith(
  { responds, bidRate, maxPrice }: SimulatedPartner,
  { time, progress }: Simulation,
  random: Random,
): CallPartner {
  return (_call, cancellation) =>
    new Promise<PartnerResponse>((resolve) => {
      const afterMs = responds(random, progress());
      const price = 0.5 + random.next() * (maxPrice - 0.5);
      const response: PartnerResponse = random.chance(bidRate)
        ? { result: 'bid', body: [{ id: '1', impid: '1', price, currency: 'USD', trustedAdm: '{}' }] }
        : { result: 'no_bid' };
      if (afterMs < Infinity) time.at(time.nowMs + afterMs, () => resolve(response));
      cancellation.onCancel((reason) => resolve({ result: reason }));
    });
}

const call: BidderCall = { method: 'POST', url: 'http://partner.test/', headers: {}, impressions: [] };

const auction: Auction = (() => {
  const native = { ver: '1.2', assets: [{ id: 1, required: 1 as const, title: { len: 25 } }] };
  const imp = { id: '1', native: { request: JSON.stringify(native) }, bidfloor: 0.01 };
  const impression = { imp, native, form: 'unwrapped' as const, floorMicros: 10_000 };
  return { request: { id: '1', imp: [imp] }, impressions: [impression], terms: { at: 1, cur: ['USD'] } };
})();
