/** Keeps a bounded sample of the requests and counts their errors for the console. Holds nothing that the log may not hold. */
import { maxPublisherIdLength } from '../contract/api-limits.ts';
import type { AuctionPartner, AuctionSample } from '../contract/console-api.ts';
import { listRestrictions, unsoldOf } from '../contract/list-restrictions.ts';
import { sampleKind, type SampleKind } from '../contract/sample-kind.ts';
import type { EndedAuction, Outcome } from '../exchange/outcome.ts';
import { roundToMicroseconds } from '../format/round-to-microseconds.ts';
import type { PartnerReport } from '../contract/partner-report.ts';
import type { BidResponse, Warning } from '../openrtb/bid-response.ts';
import type { ErrorResponse } from '../openrtb/error-row.ts';
import type { RequestContext } from './request-context.ts';
import { factsOfBody, factsOfError, modeOf, type RequestFacts, type RequestObserver } from './request-observer.ts';
import { copyStart } from '../json/copy-start.ts';

/** The port to what the worker keeps for the console. */
export interface SampleRecorder {
  samples: {
    /** Whether a request of this kind is sampled now. */
    admits: (kind: SampleKind) => boolean;
    add: (kind: SampleKind, sample: AuctionSample) => void;
  };
  errors: {
    add(publisher: string | null, code: string, field: string | null, requestId: string, timeMs: number): void;
  };
}

const maxFieldLength = 200;
const maxReasonLength = 300;
export const maxPartners = 50;
/** Rejected and lost bids of one auction; the number of others is kept. */
export const maxBids = 40;
const maxWinners = 20;
const maxWarnings = 20;

/** `nowMs` is the clock of the requests, `epochMs` that of the samples. */
export function sampleRequests(
  observer: RequestObserver,
  { samples, errors }: SampleRecorder,
  nowMs: () => number,
  epochMs: () => number,
): RequestObserver {
  const addOutsideApp = (requestId: string, outcome: string, error: ErrorResponse, durationMs: number) => {
    errors.add(null, error.code, error.field ?? null, requestId, epochMs());
    if (!samples.admits('error')) return;
    const facts: RequestFacts = { requestId, outcome: outcome as Outcome['kind'], ...factsOfError(error) };
    samples.add('error', toSample(facts, { timeMs: epochMs(), status: error.status, durationMs, test: false }));
  };
  return {
    ...observer,
    finished(request, response, finished) {
      observer.finished(request, response, finished);
      const { context } = request;
      const { outcome } = finished;
      const error = 'error' in outcome ? outcome.error : undefined;
      const test = modeOf(context) === 'test';
      if (error && !test) {
        const publisherId = context.rateLimitKeys.publisher ?? context.unauthorized?.publisher;
        const publisher = publisherId === undefined ? null : copyStart(publisherId, maxPublisherIdLength);
        const field = error.field === undefined ? null : copyStart(error.field, maxFieldLength);
        errors.add(publisher, error.code, field, context.requestId, epochMs());
      }
      const kind = sampleKind(test, error);
      if (!samples.admits(kind)) return;
      const facts: RequestFacts = {
        requestId: context.requestId,
        outcome: outcome.kind,
        ...factsOfError(error),
        ...factsOfBody(context),
      };
      const status = error?.status ?? response.statusCode;
      const durationMs = nowMs() - context.arrivedAtMs;
      const sample = toSample(facts, { timeMs: epochMs(), status, durationMs, test });
      samples.add(kind, withAuction(sample, outcome, context.body));
    },
    rejected(requestId, error, rateLimit, durationMs) {
      observer.rejected(requestId, error, rateLimit, durationMs);
      addOutsideApp(requestId, error.status === 429 ? 'refused' : 'invalid', error, durationMs);
    },
    ended(requestId, outcome, waitedMs) {
      observer.ended(requestId, outcome, waitedMs);
      addOutsideApp(requestId, outcome.kind, outcome.error, waitedMs);
    },
  };
}

function toSample(
  facts: RequestFacts,
  { timeMs, status, durationMs, test }: Pick<AuctionSample, 'timeMs' | 'status' | 'durationMs' | 'test'>,
): AuctionSample {
  const { requestId, bidRequestId, publisher, siteDomain, appBundle, outcome, code, field, reason = '' } = facts;
  return {
    timeMs,
    requestId,
    bidRequestId: bidRequestId ?? null,
    publisher: publisher ?? null,
    site: siteDomain ?? appBundle ?? null,
    test,
    outcome,
    status,
    durationMs: roundToMicroseconds(durationMs),
    error:
      code === undefined
        ? null
        : {
            code,
            field: field === undefined ? null : copyStart(field, maxFieldLength),
            reason: copyStart(reason, maxReasonLength),
          },
    winners: [],
    partners: [],
    softDeadlineMs: null,
    hardDeadlineMs: null,
  };
}

function withAuction(sample: AuctionSample, outcome: Outcome, body: RequestContext['body']): AuctionSample {
  const auction = 'auction' in outcome ? outcome.auction : undefined;
  if (!auction) return sample;
  const winners = outcome.kind === 'bid' ? winnersOf(outcome.response) : [];
  const described: AuctionSample = {
    ...sample,
    winners: winners.slice(0, maxWinners),
    ...auction.deadlines(),
    partners: toPartners(auction),
    ...(auction.warnings.length > 0 && { warnings: auction.warnings.slice(0, maxWarnings).map(toWarning) }),
  };
  const request = body && 'value' in body ? body.value : undefined;
  const sold = new Set(winners.map(({ impid }) => impid));
  const unsold = unsoldOf(request, sold);
  return unsold.length === 0 ? described : { ...described, unsold, restrictions: listRestrictions(request, sold) };
}

const winnersOf = ({ seatbid, cur }: BidResponse): AuctionSample['winners'] =>
  seatbid.flatMap(({ seat, bid }) => bid.map(({ impid, price }) => ({ impid, partner: seat, price, currency: cur })));

const toWarning = ({ code, field, message }: Warning) => ({
  code,
  field: copyStart(field, maxFieldLength),
  reason: copyStart(message, maxReasonLength),
});

function toPartners({ reports }: EndedAuction): AuctionPartner[] {
  let bidsLeft = maxBids;
  const take = <Bid>(bids: readonly Bid[]): Bid[] => {
    const taken = bids.slice(0, bidsLeft);
    bidsLeft -= taken.length;
    return taken;
  };
  return reports()
    .slice(0, maxPartners)
    .map(({ repaired: _repaired, ...report }) => {
      const rejected = take(report.rejected).map(withoutMarkup);
      const lost = take(report.lost);
      const omittedBids = report.rejected.length + report.lost.length - rejected.length - lost.length;
      return { ...report, rejected, lost, ...(omittedBids > 0 && { omittedBids }) };
    });
}

/** The markup of a partner may contain an identifier of the user, for instance in a URL. */
const markupReasons = new Set(['invalid_native', 'unsafe_markup', 'insecure_markup']);
const quoted = /"(?:[^"\\]|\\.)*"/g;

function withoutMarkup({
  reason,
  detail,
  impid,
}: PartnerReport['rejected'][number]): AuctionPartner['rejected'][number] {
  const shown = markupReasons.has(reason) ? detail.replaceAll(quoted, '"…"') : detail;
  return { reason, detail: copyStart(shown, maxReasonLength), impid };
}
