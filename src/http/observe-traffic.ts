/** What a worker tells of its traffic: metrics for everything, log lines for what is worth one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { failed } from '../exchange/outcome.ts';
import { errorTable } from '../openrtb/error-table.ts';
import type { TrafficObserver } from './traffic-observer.ts';
import type { Visit } from './visit.ts';

/** What the metrics count of the traffic. */
export interface TrafficRecorder {
  stage(stage: 'read' | 'admit' | 'respond', durationMs: number): void;
  request(outcome: string, mode: TrafficMode, durationMs: number): void;
  limitDecision(admitted: boolean, scope: string): void;
  error(code: string): void;
}

/** What a log line tells of a request. */
export interface RequestFacts {
  requestId: string;
  outcome: string;
  reason: string | undefined;
  publisher: string | undefined;
  mode: TrafficMode;
  durationMs: number;
}

export interface RequestLog {
  /** Undefined where this request gets no line; else how many like it got none since the last line. */
  take(reason: string | undefined): number | undefined;
  write(request: IncomingMessage, response: ServerResponse, facts: RequestFacts, unsaid: number): void;
  /** Of what was answered without becoming a request. */
  tell(facts: Pick<RequestFacts, 'requestId' | 'outcome' | 'reason'>, unsaid: number): void;
}

export interface TrafficObserverParts {
  recorder: TrafficRecorder;
  requestLog: RequestLog;
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
    admitted({ visit }) {
      recorder.stage('read', visit.readAtMs - visit.arrivedAtMs);
      recorder.stage('admit', nowMs() - visit.readAtMs);
    },
    concluded(request, response, { outcome, concludedAtMs, thrown }) {
      const now = nowMs();
      const { visit } = request;
      const { verdict, requestId, arrivedAtMs } = visit;
      const mode = modeOf(visit);
      const error = 'error' in outcome ? outcome.error : undefined;
      recorder.stage('respond', now - concludedAtMs);
      recorder.request(outcome.kind, mode, now - arrivedAtMs);
      if (verdict) recorder.limitDecision(verdict.admitted, verdict.scope);
      if (error) recorder.error(error.code);
      if (thrown !== undefined) onDefect(requestId, thrown);
      const unsaid = requestLog.take(error?.name);
      if (unsaid === undefined) return;
      const { publisher } = visit.claim;
      const durationMs = Math.round((now - arrivedAtMs) * 1000) / 1000;
      const facts = { requestId, outcome: outcome.kind, reason: error?.name, publisher, mode, durationMs };
      requestLog.write(request, response, facts, unsaid);
    },
    rejected(requestId, name, verdict) {
      recorder.limitDecision(verdict.admitted, verdict.scope);
      recorder.error(errorTable[name].code);
      const unsaid = requestLog.take(name);
      if (unsaid !== undefined) requestLog.tell({ requestId, outcome: failed(name).kind, reason: name }, unsaid);
    },
  };
}

/** Test traffic is told apart by its own word, valid or not. */
function modeOf({ reading }: Visit): TrafficMode {
  if (!reading || !('value' in reading)) return 'live';
  return (reading.value as { test?: unknown } | null)?.test === 1 ? 'test' : 'live';
}
