/** What a worker tells of its traffic: metrics for everything, log lines for what is worth one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { errorTable } from '../openrtb/error-table.ts';
import type { TrafficObserver } from './traffic-observer.ts';

/** What the metrics count of the traffic. */
export interface TrafficRecorder {
  stage(stage: 'read' | 'admit' | 'respond', durationMs: number): void;
  request(outcome: string, mode: TrafficMode, durationMs: number): void;
  limitDecision(admitted: boolean, scope: string): void;
  error(code: string): void;
}

/** What a log line tells of a request; whether there is one is the log's business. */
export interface RequestFacts {
  requestId: string;
  outcome: string;
  reason: string | undefined;
  publisher: string | undefined;
  mode: TrafficMode;
  durationMs: number;
}

export interface TrafficObserverParts {
  recorder: TrafficRecorder;
  requestLog: (request: IncomingMessage, response: ServerResponse, facts: RequestFacts) => void;
  onDefect: (requestId: string, thrown: unknown) => void;
  nowMs: () => number;
}

type TrafficMode = 'live' | 'test';

export function createTrafficObserver({
  recorder,
  requestLog,
  onDefect,
  nowMs,
}: TrafficObserverParts): TrafficObserver {
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
      if (thrown !== undefined) onDefect(request.requestId, thrown);
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
