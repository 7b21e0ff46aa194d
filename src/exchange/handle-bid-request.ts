/** The use case: one bid request, from its parsed body to its outcome. */
import { type Budgets, deadlineOf } from '../auction/deadline.ts';
import type { AuctionType } from '../auction/pick-winner.ts';
import type { AuctionResult, RunAuction } from '../auction/run-auction.ts';
import type { Auction } from '../demand/adapter.ts';
import type { Rates } from '../money/rates.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Warning } from '../openrtb/bid-response.ts';
import { findWarnings } from '../openrtb/find-warnings.ts';
import { publisherIdOf } from '../openrtb/publisher-id.ts';
import { validateBidRequest } from '../openrtb/validate-bid-request.ts';
import { explainRedaction, type Vendor } from '../privacy/explain-redaction.ts';
import type { PrivacyDecision } from '../privacy/privacy-decision.ts';
import { redact, type RedactedRequest } from '../privacy/redact.ts';
import type { Publisher } from '../publishers/publisher.ts';
import type { PublisherDirectory } from '../publishers/publisher-directory.ts';
import type { AuctionTrace } from '../trace/tracer.ts';
import { withoutTracestate } from '../trace/without-tracestate.ts';
import { buildAuction } from './build-auction.ts';
import { buildResponse, buildTestResponse } from './build-response.ts';
import type { Outcome } from './outcome.ts';
import { raiseFloors } from './raise-floors.ts';
import { unreachedFloors } from './unreached-floors.ts';

export interface Exchange {
  runAuction: RunAuction;
  defaultAuctionType: AuctionType;
  budgets: Budgets;
  /** The exchange's domain in the supply chain. */
  exchangeDomain?: string | undefined;
  /** They may change between requests, not during one. */
  currentRates: () => Rates;
  /** Floors and partners per publisher; undefined without a publishers file. */
  publishers?: Pick<PublisherDirectory, 'find'> | undefined;
  /** The partners of test auctions. */
  testPartners: readonly Vendor[];
  /** A valid request carries something that the caller should correct. */
  onWarning: (warning: Warning, bidRequest: BidRequest, requestId: string | undefined) => void;
  /** The time a request spent in a stage. */
  onStage: (stage: 'validate' | 'auction', durationMs: number) => void;
  nowMs: () => number;
}

/** Where a request comes from. */
export interface RequestOrigin {
  trace?: AuctionTrace | undefined;
  /** For the log. */
  requestId?: string;
  /** The address that sent it. */
  client?: string;
}

/** `arrivedAtMs` is when the clock of the request started. Rejects only for a defect. */
export type HandleBidRequest = (body: unknown, arrivedAtMs: number, origin?: RequestOrigin) => Promise<Outcome>;

export const createHandleBidRequest =
  ({
    runAuction,
    defaultAuctionType,
    budgets,
    exchangeDomain,
    currentRates,
    publishers,
    testPartners,
    onWarning,
    onStage,
    nowMs,
  }: Exchange): HandleBidRequest =>
  async (body, arrivedAtMs, { trace, requestId, client } = {}) => {
    const startedAtMs = nowMs();
    const validation = validateBidRequest(body);
    const validatedAtMs = nowMs();
    onStage('validate', validatedAtMs - startedAtMs);
    trace?.stage('validate', validatedAtMs - startedAtMs);
    if (!validation.valid) return { kind: 'invalid', error: validation.error };

    const { bidRequest, natives } = validation.request;
    const rates = currentRates();
    const publisher = publishers && publisherOf(bidRequest, publishers);
    const raised = publisher?.floor && raiseFloors(bidRequest, publisher.floor, rates);
    const redacted = redact(bidRequest);
    const type = bidRequest.at ?? defaultAuctionType;
    const built = buildAuction(redacted.request, natives, { type, rates, exchangeDomain });
    if (trace) built.auction.trace = isRestricted(redacted.decision) ? withoutTracestate(trace) : trace;
    if (client !== undefined) built.auction.client = client;
    const { currency } = built;
    const warnings = [...redacted.decision.warnings, ...built.warnings];
    for (const warning of warnings) onWarning(warning, bidRequest, requestId);

    const test = bidRequest.test === 1;
    const deadline = deadlineOf(arrivedAtMs, bidRequest.tmax, budgets);
    const auction = withViews(built.auction, redacted);
    const result = await runAuction(auction, { type, test, deadline, rates, currency, publisher });
    onStage('auction', nowMs() - validatedAtMs);

    if (test) {
      const called = publisher ? testPartners.filter(({ name }) => publisher.allowsPartner(name)) : testPartners;
      const explained = explainRedaction(bidRequest, redacted, called);
      const found = [...warnings, ...explained, ...findWarnings(bidRequest), ...(raised ?? [])];
      return toTestOutcome(auction, bidRequest, result, currency.code, found);
    }
    const { seatbid, reports, deadlines, competition } = result;
    const ended = { reports, deadlines, warnings: raised ? [...warnings, ...raised] : warnings };
    if (seatbid.length === 0) return { kind: 'no_bid', auction: ended };
    const sold = { request: bidRequest, type, rates, competition };
    return { kind: 'bid', response: buildResponse(bidRequest, result, currency.code), sold, auction: ended };
  };

/** A test request gets the report of its auction, with all warnings. */
function toTestOutcome(
  auction: Auction,
  bidRequest: BidRequest,
  result: AuctionResult,
  cur: string,
  found: readonly Warning[],
): Outcome {
  const reports = result.reports();
  const reported = { ...result, reports: () => reports }; // several parts of the response need them
  const warnings = [...found, ...unreachedFloors(bidRequest, auction, reported)];
  const response = buildTestResponse(bidRequest, reported, cur, warnings);
  return { kind: result.seatbid.length > 0 ? 'bid' : 'no_bid', response, auction: { ...reported, warnings } };
}

/** HTTP has checked that the request may send this id. */
function publisherOf(request: BidRequest, publishers: Pick<PublisherDirectory, 'find'>): Publisher | undefined {
  const id = publisherIdOf(request);
  return id === undefined ? undefined : publishers.find(id);
}

/** Whether any partner may not receive personal data. */
const isRestricted = ({ redaction, gdpr }: PrivacyDecision): boolean => redaction !== 'none' || gdpr !== undefined;

/** Adds what vendors with consent see. */
function withViews(auction: Auction, { consented }: RedactedRequest): Auction {
  if (!consented) return auction;
  const { request, hasConsent } = consented;
  auction.consented = { auction: { ...auction, request }, hasConsent };
  return auction;
}
