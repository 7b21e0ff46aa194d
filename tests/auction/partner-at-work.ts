/** A real partner over fake calls, with its breaker and its rate; time is what jest says it is. */
import { expect, jest } from '@jest/globals';
import type { Call, Conversation, OfferedBid } from '../../src/demand/adapter.ts';
import type { AskPartner } from '../../src/demand/call-partner.ts';
import { Breaker, type BreakerState } from '../../src/demand/breaker.ts';
import { type GiveUp, Partner } from '../../src/demand/partner.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';
import { QpsGate, withRate } from '../../src/demand/qps-gate.ts';
import { callOf, FakeAsk } from './fake-ask.ts';
import { auctionOf, bidOf } from './fakes.ts';

export interface PartnerOptions {
  timeoutMs?: number | undefined;
  maxQps?: number;
  calls?: Call[];
  conversation?: Partial<Conversation>;
  /** What is put between the partner and its calls. */
  through?: (ask: AskPartner) => AskPartner;
}

/** Opens after three failures in a row. The answers to its calls are the bids themselves. */
export function createPartner({ timeoutMs, maxQps, calls = [callOf('/a')], ...options }: PartnerOptions = {}) {
  const { conversation, through = (ask) => ask } = options;
  const fake = new FakeAsk();
  const tmaxes: number[] = [];
  const defects: unknown[] = [];
  const states: BreakerState[] = [];
  const breaker = new Breaker(3, (state) => states.push(state));
  const qpsGate = maxQps === undefined ? undefined : new QpsGate(maxQps, 1, 0);
  const partner = new Partner({
    settings: { name: 'a', adapter: 'fake', test: false, ...(timeoutMs !== undefined && { timeoutMs }) },
    conversation: {
      toRequests: (_auction, tmaxMs) => {
        tmaxes.push(tmaxMs);
        return calls;
      },
      toBids: (_call, answer) => answer as OfferedBid[],
      ...conversation,
    },
    ask: through(qpsGate ? withRate(fake.ask, qpsGate, () => jest.now()) : fake.ask),
    breaker,
    nowMs: () => jest.now(),
    onDefect: (thrown) => defects.push(thrown),
    onLeftOut: () => {},
  });
  return { partner, fake, calls, tmaxes, defects, breaker, states, qpsGate };
}

export interface Told {
  offers: OfferedBid[];
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

const probeEveryMs = 5_000;

/** A partner that was spared after three calls, and may be probed now. */
export function createSparedPartner(options?: PartnerOptions) {
  const parts = createPartner(options);
  const { partner, fake, states } = parts;
  for (let call = 0; call < 3; call++) {
    askPartner(partner);
    fake.calls.at(-1)!.answer('error');
  }
  expect(askPartner(partner).results).toEqual(['skipped']);
  expect(fake.calls).toHaveLength(3);
  states.length = 0;
  fake.calls.length = 0;
  jest.advanceTimersByTime(probeEveryMs);
  return parts;
}

/** Another five seconds on it is asked, and used again once it answers. */
export function expectProbe({ partner, fake, breaker }: ReturnType<typeof createPartner>): void {
  jest.advanceTimersByTime(probeEveryMs);
  const probe = askPartner(partner);
  expect(fake.calls).toHaveLength(1);
  expect(askPartner(partner).results).toEqual(['skipped']);
  fake.calls[0]!.answer('bid', [bidOf(1)]);
  expect(probe.results).toEqual(['bid']);
  expect(breaker.state).toBe('closed');
}

/** Stands for a defect of ours. */
export const defect = (): never => {
  throw new Error('a defect');
};
