/** Records every request: metrics for all of them, a log line for errors and for a sample of the rest. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Request, Response } from 'express';
import { maxLoggedIdLength } from '../contract/api-limits.ts';
import type { SoldAuction } from '../exchange/auction-log-entry.ts';
import type { FailedOutcome, Outcome } from '../exchange/outcome.ts';
import { roundToMicroseconds } from '../format/round-to-microseconds.ts';
import { showInvisible } from '../json/describe-value.ts';
import { isObject, type JsonObject } from '../json/guards.ts';
import type { RateLimitResult } from '../limits/rate-limiter.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { BidResponse, Warning } from '../openrtb/bid-response.ts';
import { maxDomainLength } from '../openrtb/domain-set.ts';
import type { ErrorResponse } from '../openrtb/error-row.ts';
import { readPublisherId } from '../openrtb/publisher-id.ts';
import { clientClosed } from './client-closed.ts';
import type { RequestContext } from './request-context.ts';
import type { CutReason } from './unread-responses.ts';
import { copyStart } from '../json/copy-start.ts';

export interface Finished {
  outcome: Outcome;
  /** When the outcome was known and the response began. */
  startedAtMs: number;
  /** The exception behind a 500. */
  defect?: unknown;
}

/** The port through which the HTTP layer reports its requests. */
export interface RequestObserver {
  /** A bid request has passed the rate limits. */
  admitted(request: Request): void;
  /** A request has got its response, or its client has left. */
  finished(request: Request, response: Response, finished: Finished): void;
  /** The server rejected bytes that are not an HTTP request. */
  rejected(requestId: string, error: ErrorResponse, rateLimit: RateLimitResult, durationMs: number): void;
  /** A request that waited at its headers has ended there: it got 503, or its client has left. */
  ended(requestId: string, outcome: FailedOutcome, waitedMs: number): void;
  /** A connection was closed: the worker is overloaded, its address has too many, or too many requests wait on it. */
  connectionRefused(reason: ConnectionReason): void;
  /** A connection was cut because the client did not read its response. */
  responseCut(reason: CutReason): void;
}

export type ConnectionReason = 'connections' | 'pipeline' | 'overload';

export type TrafficMode = 'live' | 'test';

/** The fields of a log line. Never an address, a user id or a consent string. */
export interface RequestFacts {
  requestId: string;
  /** From the caller's `traceparent`, else from the span of the request. */
  traceId?: string;
  outcome: Outcome['kind'];
  mode?: TrafficMode;
  durationMs?: number;
  /** The row of the error table, and what the caller got of it. */
  error?: string;
  code?: string;
  field?: string;
  reason?: string;
  publisher?: string;
  /** The OpenRTB `id`. */
  bidRequestId?: string;
  siteDomain?: string;
  appBundle?: string;
}

/** The metrics that requests are counted in. */
export interface RequestRecorder {
  stage(stage: 'read' | 'admit' | 'respond', durationMs: number): void;
  request(outcome: Outcome['kind'], mode: TrafficMode, durationMs: number): void;
  queueDelay(delayMs: number): void;
  limitDecision(admitted: boolean, scope: string): void;
  error(code: string): void;
  shed(reason: string): void;
  responseCut(reason: string): void;
}

export interface RequestLog {
  /** Undefined if this request gets no line; otherwise how many lines like it were suppressed since the last one. */
  admit(errorName: string | undefined, publisher: string | undefined): number | undefined;
  /** `defect` is the exception behind a 500; its stack is logged. */
  write(
    request: IncomingMessage,
    response: ServerResponse,
    facts: RequestFacts,
    suppressed: number,
    defect: unknown,
  ): void;
  /** For bytes that were not an HTTP request, and for clients that have left. */
  writeRejected(facts: RequestFacts, suppressed: number): void;
}

/** Counts the invalid share of each publisher's requests. */
export interface PublisherObserver {
  observe(publisher: string | undefined, error: ErrorResponse | undefined): void;
}

export interface RequestObserverParts {
  recorder: RequestRecorder;
  publishers?: PublisherObserver | undefined;
  requestLog: RequestLog;
  /** Called after the response of an auction with a winner has been sent. */
  logAuction?: LogAuction | undefined;
  nowMs: () => number;
}

/** `auctionId` is unique per auction. */
export type LogAuction = (auctionId: string, response: BidResponse, sold: SoldAuction) => void;

export function createRequestObserver(parts: RequestObserverParts): RequestObserver {
  const { recorder, publishers, requestLog, logAuction, nowMs } = parts;
  return {
    admitted({ context }) {
      recorder.queueDelay(context.startedAtMs - context.arrivedAtMs);
      recorder.stage('read', context.bodyReadAtMs - context.startedAtMs);
      recorder.stage('admit', nowMs() - context.bodyReadAtMs);
    },
    finished(request, response, { outcome, startedAtMs, defect }) {
      const now = nowMs();
      const { context } = request;
      context.isObserved = true;
      const { rateLimit, arrivedAtMs } = context;
      const error = 'error' in outcome ? outcome.error : undefined;
      const mode = modeOf(context);
      recorder.stage('respond', now - startedAtMs);
      recorder.request(outcome.kind, mode, now - arrivedAtMs);
      if (rateLimit) recorder.limitDecision(rateLimit.admitted, rateLimit.scope);
      if (error) recorder.error(error.code);
      if (mode === 'live' && showsValidity(outcome)) publishers?.observe(context.rateLimitKeys.publisher, error);
      const shedReason = error && shedReasons[error.name];
      if (shedReason !== undefined) recorder.shed(shedReason);
      if (logAuction && outcome.kind === 'bid' && outcome.sold)
        logAuction(context.requestId, outcome.response, outcome.sold);
      const suppressed = requestLog.admit(
        error?.name,
        context.rateLimitKeys.publisher ?? context.unauthorized?.publisher,
      );
      if (suppressed === undefined) return;
      const facts: RequestFacts = {
        requestId: context.requestId,
        ...(context.trace && { traceId: context.trace.traceId }),
        outcome: outcome.kind,
        mode,
        durationMs: roundToMicroseconds(now - arrivedAtMs),
        ...factsOfError(error),
        ...factsOfBody(context),
      };
      if (error?.name === clientClosed.error.name) requestLog.writeRejected(facts, suppressed);
      else requestLog.write(request, response, facts, suppressed, defect);
    },
    ...observeOutsideApp(parts),
    connectionRefused: (reason) => recorder.shed(reason),
    responseCut: (reason) => recorder.responseCut(reason),
  };
}

/** Requests that never reach the app: they are rejected, or shed at their headers. */
function observeOutsideApp({
  recorder,
  requestLog,
}: RequestObserverParts): Pick<RequestObserver, 'rejected' | 'ended'> {
  return {
    rejected(requestId, error, rateLimit, durationMs) {
      const outcome = error.status === 429 ? 'refused' : 'invalid';
      recorder.request(outcome, 'live', durationMs);
      recorder.limitDecision(rateLimit.admitted, rateLimit.scope);
      recorder.error(error.code);
      const suppressed = requestLog.admit(error.name, undefined);
      if (suppressed === undefined) return;
      requestLog.writeRejected({ requestId, outcome, ...factsOfError(error) }, suppressed);
    },
    ended(requestId, { kind, error }, waitedMs) {
      recorder.queueDelay(waitedMs);
      recorder.request(kind, 'live', waitedMs);
      recorder.error(error.code);
      const shedReason = shedReasons[error.name];
      if (shedReason !== undefined) recorder.shed(shedReason);
      const suppressed = requestLog.admit(error.name, undefined);
      if (suppressed === undefined) return;
      const durationMs = roundToMicroseconds(waitedMs);
      requestLog.writeRejected({ requestId, outcome: kind, durationMs, ...factsOfError(error) }, suppressed);
    },
  };
}

/** Requests that were rate limited, shed or abandoned are neither valid nor invalid. */
const showsValidity = (outcome: Outcome): boolean =>
  outcome.kind !== 'refused' && outcome.kind !== 'error' && outcome !== clientClosed;

/** Why requests get 503, by row of the error table. */
const shedReasons: Readonly<Record<string, string>> = {
  'server.overloaded': 'queue_delay',
  'server.unavailable': 'concurrency',
  'server.clientBusy': 'client_concurrency',
  'server.bodyMemory': 'body_memory',
  'server.costly': 'costly',
};
const connectionReasons: readonly ConnectionReason[] = ['connections', 'pipeline', 'overload'];

/** The values of the label `reason`. */
export const allShedReasons: readonly string[] = [...Object.values(shedReasons), ...connectionReasons];

/** A request with `test: 1` counts as test traffic, even if it is invalid. */
export function modeOf({ body }: RequestContext): TrafficMode {
  if (!body || !('value' in body)) return 'live';
  return isObject(body.value) && body.value.test === 1 ? 'test' : 'live';
}

export function factsOfError(error: ErrorResponse | undefined): Partial<RequestFacts> {
  if (!error) return {};
  const { name, code, field, reason } = error;
  const withoutValue = reason.split('; got ')[0]!;
  if (field === undefined) return { error: name, code, reason: withoutValue };
  return { error: name, code, field, reason: isPersonal(field) ? withoutValue : reason };
}

/** The log must not quote a value of these objects, nor a header or a path. */
const isPersonal = (field: string): boolean => /^(?:user|device|regs)\b/.test(field);

/** What identifies the request to its sender. Taken from unvalidated JSON, so every member may be anything. */
export function factsOfBody({ body, rateLimitKeys, unauthorized }: RequestContext): Partial<RequestFacts> {
  const request = body && 'value' in body && isObject(body.value) ? body.value : {};
  return identifyingFacts(request, rateLimitKeys.publisher ?? unauthorized?.publisher);
}

/** The fields of a line about a warning, as in the request's own line. The message of a warning quotes no value. */
export const factsOfWarning = (
  { code, field, message }: Warning,
  bidRequest: BidRequest,
  requestId: string | undefined,
): Partial<RequestFacts> => ({
  ...(requestId !== undefined && { requestId }),
  mode: bidRequest.test === 1 ? 'test' : 'live',
  code,
  field,
  reason: message,
  ...identifyingFacts(bidRequest, readPublisherId(bidRequest)),
});

function identifyingFacts(request: object, publisher: string | undefined): Partial<RequestFacts> {
  const { id } = request as JsonObject;
  return {
    ...textFact('publisher', publisher, maxLoggedIdLength),
    ...textFact('bidRequestId', id, maxLoggedIdLength),
    ...textFact('siteDomain', nameOnly(memberOf(request, 'site', 'domain')), maxDomainLength),
    ...textFact('appBundle', nameOnly(memberOf(request, 'app', 'bundle')), maxDomainLength),
  };
}

function memberOf(request: object, object: string, name: string): unknown {
  const owner = (request as JsonObject)[object];
  return isObject(owner) ? owner[name] : undefined;
}

/** Undefined for what cannot be a domain or a bundle, addresses included. */
const nameOnly = (value: unknown): unknown =>
  typeof value === 'string' && /^[\w.-]+$/.test(value) && isIP(value) === 0 ? value : undefined;

const textFact = (name: keyof RequestFacts, value: unknown, maxLength: number): Partial<RequestFacts> =>
  typeof value === 'string' ? { [name]: showInvisible(copyStart(value, maxLength)) } : {};
