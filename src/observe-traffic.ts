/** What a worker tells of its traffic: metrics for everything, log lines for what is worth one. */
import type { Request } from 'express';
import type { TrafficObserver } from './http/traffic-observer.ts';
import { errorTable } from './openrtb/error-table.ts';
import type { Logger } from './observe/logger.ts';
import type { Recorder, TrafficMode } from './observe/recorder.ts';
import type { createRequestLog } from './observe/request-log.ts';

export interface TrafficObserverParts {
  recorder: Recorder;
  requestLog: ReturnType<typeof createRequestLog>;
  logger: Logger;
  nowMs: () => number;
}

export function createTrafficObserver({ recorder, requestLog, logger, nowMs }: TrafficObserverParts): TrafficObserver {
  return {
    admitted({ arrivedAtMs, readAtMs }) {
      recorder.stage('read', readAtMs - arrivedAtMs);
      recorder.stage('admit', nowMs() - readAtMs);
    },
    concluded(request, response, { outcome, concludedAtMs, thrown }) {
      const now = nowMs();
      const durationMs = now - request.arrivedAtMs;
      const mode = modeOf(request);
      const error = 'error' in outcome ? outcome.error : undefined;
      const { verdict, claim } = request.ticket;
      recorder.stage('respond', now - concludedAtMs);
      recorder.request(outcome.kind, mode, durationMs);
      if (verdict) recorder.limitDecision(verdict.admitted, verdict.scope);
      if (error) recorder.error(error.code);
      if (thrown !== undefined) logger.error({ requestId: request.requestId, err: thrown }, 'a request met a defect');
      const { requestId } = request;
      const facts = { outcome: outcome.kind, reason: error?.name, publisher: claim.publisher, mode };
      requestLog(request, response, { requestId, ...facts, durationMs: Math.round(durationMs * 1000) / 1000 });
    },
    rejected(name, verdict) {
      recorder.limitDecision(verdict.admitted, verdict.scope);
      recorder.error(errorTable[name].code);
    },
  };
}

/** Test traffic is told apart by its own word, valid or not. */
function modeOf({ reading }: Request): TrafficMode {
  if (!reading || !('value' in reading)) return 'live';
  return (reading.value as { test?: unknown } | null)?.test === 1 ? 'test' : 'live';
}
