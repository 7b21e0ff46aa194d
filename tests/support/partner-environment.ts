/** What partners and the exchange need of their worker, for tests: one worker, no waiting, nothing reported. */
import { BodyBuffers } from '../../src/http/body-buffers.ts';
import { AdmissionControl } from '../../src/overload/admission-control.ts';
import type { AdmissionSettings } from '../../src/overload/admission-settings.ts';
import { ClientUsage } from '../../src/overload/client-usage.ts';
import { EventLoopClock } from '../../src/overload/event-loop-clock.ts';
import type { PartnerEnvironment } from '../../src/demand/create-partners.ts';
import type { Exchange } from '../../src/exchange/handle-bid-request.ts';
import { usdOnly } from '../../src/money/rates.ts';

/** Turns that nobody waits for. */
export const turnsAtOnce = { turn: () => Promise.resolve(true), isLate: () => false };

export const partnerEnvironment: PartnerEnvironment = {
  workers: 1,
  workerIndex: 0,
  budgets: { timeoutMs: 500, softTimeoutMs: 150 },
  nowMs: () => performance.now(),
  turns: turnsAtOnce,
  onCircuitState: () => {},
  onIgnoredParam: () => {},
  onHostName: () => {},
};

export const exchangeEnvironment = {
  currentRates: () => usdOnly,
  testPartners: [],
  onWarning: () => {},
  onStage: () => {},
  nowMs: () => performance.now(),
} satisfies Partial<Exchange>;

/** Client and exchange share an event loop in tests, so that delays say nothing. */
const neverOverloaded: AdmissionSettings = {
  maxDelayMs: Infinity,
  targetDelayMs: Infinity,
  intervalMs: 100,
  burstMs: Infinity,
  burstRequests: Infinity,
  maxBurstMs: Infinity,
  severeBurstMs: Infinity,
  severeConnectingBurstMs: Infinity,
  calmMs: 0,
};

export const unlimitedAdmission = () => ({
  control: new AdmissionControl(neverOverloaded),
  clock: new EventLoopClock(),
  usage: new ClientUsage(),
});

const buffers = new BodyBuffers(1_000_000);

export const serverSettings = {
  timeouts: { headersMs: 1_000, requestMs: 2_000, keepAliveMs: 1_000 },
  maxConnectionsPerAddress: 100,
  addressLimit: 100,
  onOverload: () => {},
  isDraining: () => false,
  buffers,
  pacer: { charge: () => {}, isBusy: false },
};

/** One request at a time. */
export const appSettings = {
  trustProxy: 'loopback',
  body: { maxBytes: 100_000, timeoutMs: 1_000, buffers },
  unread: { timeoutMs: 1_000, maxBytes: 1_000_000 },
  concurrency: { handling: 1, perAddress: 1 },
  pacer: turnsAtOnce,
  isDraining: () => false,
};
