/** The console's API on the wire: what the admin server sends and the pages read. Types only, so that either side may import it. */
import type { PartnerReport } from './partner-report.ts';

/** `GET /console/api/session`. Without a session only this and `POST /console/api/login` respond, except with 401. */
export interface Session {
  /** True if `ADMIN_TOKEN` is set and this client has not proved that it knows it. */
  loginRequired: boolean;
  /** The URL of the bidding endpoint as a caller on this machine reaches it, for the curl command; empty until the workers listen. */
  endpoint: string;
  version: string;
}

/** `POST /console/api/login`. 204 with the cookie, or 401. */
export interface Login {
  token: string;
}

/** `GET /console/api/examples`: requests for the playground. */
export interface Example {
  name: string;
  title: string;
  /** The request as JSON text, as the editor shows it. */
  body: string;
}

/**
 * `POST /console/api/try`. The request body is the text of the editor, sent to the bidding endpoint in test mode.
 * A key in the header `X-Api-Key` is sent on as `Authorization: Bearer`. The response is 200 whatever the exchange sent.
 */
export interface TryResult {
  status: number;
  headers: [name: string, value: string][];
  durationMs: number;
  /** What the bidding endpoint sent, at most 1 MiB; a bid response with `ext.service` (the test report) or an error body. */
  body: string;
}

/** One second of the whole machine; `GET /console/api/live` sends one per second, `GET /console/api/history` up to 900. */
export interface LiveSample {
  /** The second that ended, in milliseconds since the epoch. */
  timeMs: number;
  /** Live requests in this second by outcome (the values of the label `outcome` of exchange_request_duration_seconds). */
  outcomes: Record<string, number>;
  /** Requests of test traffic in this second, which nothing else here counts. */
  testRequests?: number;
  /** The latency of this second; null if there was no request. */
  latencyMs: { p50: number; p95: number; p99: number } | null;
  /** Requests over a rate limit in this second. */
  rateLimited: { ip: number; publisher: number; global: number };
  /** Shed requests in this second by reason. */
  shed: Record<string, number>;
  /** The 99th percentile of this second; null if nothing was measured. */
  queueDelayMs: number | null;
  workers: { ready: number; expected: number };
  /** The highest of all workers; of one that has not replied in time, the time since its last reply. */
  eventLoopLagMs: number;
  /** The mode of each worker; degraded wins. */
  limitMode: 'redis' | 'embedded' | 'degraded';
  partners: PartnerSample[];
}

/** One partner in one second, test traffic excluded. */
export interface PartnerSample {
  name: string;
  calls: number;
  /** Calls by outcome: bid, no_bid, timeout, late, error, … */
  outcomes: Record<string, number>;
  bids: number;
  wins: number;
  /** Revenue of the wins, in micros of USD. */
  revenueMicros: number;
  /** Bids by drop reason. */
  dropped: Record<string, number>;
  /** Cumulative counts per upper bound in milliseconds (the last is Infinity, sent as null). */
  latency: { le: (number | null)[]; counts: number[] };
  breaker: 'closed' | 'half_open' | 'open';
  /** The learned deadline; null for a local bidder. */
  deadlineMs: number | null;
}

export interface History {
  /** The targets to draw. */
  targetsMs: { p50: number; p95: number; p99: number };
  samples: LiveSample[];
}

/** `GET /console/api/auctions[?id=request id]`, newest first, at most 500. Each kind has a share of them. */
export interface Auctions {
  auctions: AuctionSample[];
  /** Ready workers that have not replied in time: their auctions are missing. Absent if all have. */
  missingWorkers?: number;
}

export interface AuctionSample {
  timeMs: number;
  requestId: string;
  /** The id in the bid request; null if there was none that could be used. */
  bidRequestId: string | null;
  publisher: string | null;
  /** Domain of the site or bundle of the app. */
  site: string | null;
  test: boolean;
  outcome: string;
  status: number;
  durationMs: number;
  error: { code: string; field: string | null; reason: string } | null;
  winners: { impid: string; partner: string; price: number; currency: string }[];
  /** As in the test report; empty if there was no auction. */
  partners: AuctionPartner[];
  softDeadlineMs: number | null;
  hardDeadlineMs: number | null;
  /** Impressions without a winner; absent if there are none. */
  unsold?: string[];
  /** What restricts demand for them. */
  restrictions?: { field: string; reason: string }[];
  /** As in the test report: what the caller should correct, and floors that the publisher's settings raise. */
  warnings?: { code: string; field: string; reason: string }[];
}

/** One bar of the waterfall. */
export interface AuctionPartner extends PartnerReport {
  /** Rejected and lost bids that the sample does not have; absent if it has all. */
  omittedBids?: number;
}

/** `GET /console/api/errors`, the most frequent first, at most 100, since the start. */
export interface Errors {
  errors: ErrorCount[];
}

export interface ErrorCount {
  publisher: string | null;
  code: string;
  field: string | null;
  count: number;
  latestRequestId: string;
  latestMs: number;
}
