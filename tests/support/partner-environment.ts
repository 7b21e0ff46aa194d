/** What partners and the exchange need of their worker, for tests: one worker, no waiting, nothing reported. */
import type { PartnerEnvironment } from '../../src/demand/create-partners.ts';
import type { Exchange } from '../../src/exchange/handle-bid-request.ts';
import { usdOnly } from '../../src/money/rates.ts';

export const atOnce = () => Promise.resolve(true);

export const partnerEnvironment: PartnerEnvironment = {
  workers: 1,
  slot: 0,
  budgets: { timeoutMs: 500, softTimeoutMs: 150 },
  nowMs: () => performance.now(),
  takeTurn: atOnce,
  onCircuitState: () => {},
  onIgnoredParam: () => {},
};

export const exchangeEnvironment = {
  currentRates: () => usdOnly,
  testPartners: [],
  onWarning: () => {},
  onStage: () => {},
  nowMs: () => performance.now(),
} satisfies Partial<Exchange>;
