/** Creates the exchange of a worker: its partners, and the use case that runs their auctions. */
import { createRunAuction } from './auction/run-auction.ts';
import type { Config } from './config/config.ts';
import { createPartners } from './demand/create-partners.ts';
import type { Partner } from './demand/partner.ts';
import { partnerResults } from './demand/partner-result.ts';
import { createHandleBidRequest, type HandleBidRequest } from './exchange/handle-bid-request.ts';
import { outcomeKinds } from './exchange/outcome.ts';
import { clientClosed } from './http/client-closed.ts';
import { errorTable } from './http/http-errors.ts';
import { allShedReasons, factsOfWarning } from './http/request-observer.ts';
import { scopes } from './limits/rate-limiter.ts';
import { currencyWarningCodes } from './money/currency-warnings.ts';
import type { Rates } from './money/rates.ts';
import type { CappedLog } from './observe/capped-log.ts';
import { createCircuitLog } from './observe/circuit-log.ts';
import type { Logger } from './observe/logger.ts';
import type { KnownLabels, Recorder } from './observe/recorder.ts';
import type { Pacer } from './pacing/pacer.ts';
import { warningCodes } from './privacy/warnings.ts';
import { directoryOf } from './publishers/publisher-directory.ts';

export interface ExchangeParts {
  recorder: Recorder;
  logger: Logger;
  capped: CappedLog;
  /** Of this machine, from 0. */
  workerIndex: number;
  pacer: Pacer;
  currentRates: () => Rates;
  nowMs: () => number;
}

export function createExchange(config: Config, parts: ExchangeParts): HandleBidRequest {
  const { workerIndex, pacer, currentRates, nowMs, recorder, logger, capped } = parts;
  const logCircuit = createCircuitLog(logger);
  const partners = createPartners(config.partners ?? [], {
    workers: config.workers,
    workerIndex,
    budgets: config,
    nowMs,
    turns: pacer,
    onCircuitState: (partner, state, cause) => {
      recorder.breaker(partner, state);
      logCircuit(partner, state, cause);
    },
    onIgnoredParam: (partner, param) =>
      capped.warn(`ignored ${partner} ${param}`, { partner, param }, 'invalid parameter ignored'),
    onHostName: (host, error) => {
      if (error) logger.warn({ host, reason: error.message }, 'host name cannot be resolved');
      else logger.warn({ host }, 'host name is resolved again');
    },
  });
  recorder.prime(knownLabels(partners));
  recorder.deadlines(partners);
  return createHandleBidRequest({
    runAuction: createRunAuction(partners, nowMs, recorder),
    defaultAuctionType: config.defaultAuctionType,
    budgets: config,
    exchangeDomain: config.exchangeDomain,
    currentRates,
    publishers: directoryOf(config.publishers),
    testPartners: partners.filter(({ test }) => test),
    onWarning: (warning, bidRequest, requestId) => {
      recorder.warning(warning.code);
      const facts = () => factsOfWarning(warning, bidRequest, requestId);
      capped.warn(warning.code, facts, 'request accepted with a warning');
    },
    onStage: (stage, durationMs) => recorder.stage(stage, durationMs),
    nowMs,
  });
}

const knownLabels = (partners: readonly Partner[]): KnownLabels => ({
  outcomes: outcomeKinds,
  scopes,
  errorCodes: [...Object.values(errorTable), clientClosed.error].map(({ code }) => code),
  shedReasons: allShedReasons,
  warningCodes: [...warningCodes, ...currencyWarningCodes],
  partners: partners.map(({ name }) => name),
  partnerResults,
});
