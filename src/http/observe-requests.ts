/** What a worker tells of its traffic: metrics for everything, log lines for what is worth one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorTable, failed } from './http-errors.ts';
import type { RequestObserver } from './request-observer.ts';
import type { RequestContext } from './request-context.ts';

/** What the metrics count of the traffic. */
export interface RequestRecorder {
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
  write(request: IncomingMessage, response: ServerResponse, facts: RequestFacts, suppressed: number): void;
  /** Of what was answered without becoming a request. */
  tell(facts: Pick<RequestFacts, 'requestId' | 'outcome' | 'reason'>, suppressed: number): void;
}

export interface RequestObserverParts {
  recorder: RequestRecorder;
  requestLog: RequestLog;
  onDefect: (requestId: string, thrown: unknown) => void;
  nowMs: () => number;
}

type TrafficMode = 'live' | 'test';

export function createRequestObserver({
  recorder,
  requestLog,
  onDefect,
  nowMs,
}: RequestObserverParts): RequestObserver {
  return {
    admitted({ context }) {
      recorder.stage('read', context.readAtMs - context.arrivedAtMs);
      recorder.stage('admit', nowMs() - context.readAtMs);
    },
    concluded(request, response, { outcome, concludedAtMs, thrown }) {
      const now = nowMs();
      const { context } = request;
      const { rateLimit, requestId, arrivedAtMs } = context;
      const mode = modeOf(context);
      const error = 'error' in outcome ? outcome.error : undefined;
      recorder.stage('respond', now - concludedAtMs);
      recorder.request(outcome.kind, mode, now - arrivedAtMs);
      if (rateLimit) recorder.limitDecision(rateLimit.admitted, rateLimit.scope);
      if (error) recorder.error(error.code);
      if (thrown !== undefined) onDefect(requestId, thrown);
      const suppressed = requestLog.take(error?.name);
      if (suppressed === undefined) return;
      const { publisher } = context.rateLimitKeys;
      const durationMs = Math.round((now - arrivedAtMs) * 1000) / 1000;
      const facts = { requestId, outcome: outcome.kind, reason: error?.name, publisher, mode, durationMs };
      requestLog.write(request, response, facts, suppressed);
    },
    rejected(requestId, name, rateLimit) {
      recorder.limitDecision(rateLimit.admitted, rateLimit.scope);
      recorder.error(errorTable[name].code);
      const suppressed = requestLog.take(name);
      if (suppressed !== undefined)
        requestLog.tell({ requestId, outcome: failed(name).kind, reason: name }, suppressed);
    },
  };
}

/** Test traffic is told apart by its own word, valid or not. */
function modeOf({ body }: RequestContext): TrafficMode {
  if (!body || !('value' in body)) return 'live';
  return (body.value as { test?: unknown } | null)?.test === 1 ? 'test' : 'live';
}
