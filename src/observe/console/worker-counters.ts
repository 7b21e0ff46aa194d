/** The counters of a worker that the console plots: read from the metrics once per second, so that no request pays for them. */
import type { HistogramChild } from '../fast-metrics.ts';
import type { Metrics } from '../metrics.ts';
import type { PartnerState, Recorder } from '../recorder.ts';

/** All since the start of the worker, except for `lagMs`. Lists are observations per bucket, the last one without a bound. */
export interface WorkerCounters {
  /** Live requests by outcome, by the buckets of `exchange_request_duration_seconds`. */
  requests: Record<string, number[]>;
  testRequests: number;
  /** Requests over a rate limit by scope. */
  rateLimited: Record<string, number>;
  shed: Record<string, number>;
  /** By the buckets of `exchange_queue_delay_seconds`. */
  queueDelay: number[];
  /** The longest delay of the event loop since the last read. */
  lagMs: number;
  partners: PartnerCounters[];
}

/** Without test traffic. */
export interface PartnerCounters extends PartnerState {
  /** Auctions by result: bid, no_bid, timeout, … */
  results: Record<string, number>;
  /** Response times in the auctions that called it, by the buckets of `exchange_request_duration_seconds`. */
  latency: number[];
  /** Bids by result: won, lost, or the reason why it was dropped. */
  bids: Record<string, number>;
}

type ReadMetrics = Pick<
  Metrics,
  'requestDuration' | 'limitDecisions' | 'shed' | 'queueDelay' | 'partnerDuration' | 'bids'
>;

export function readCounters(
  metrics: ReadMetrics,
  recorder: Pick<Recorder, 'partnerStates'>,
  lagMs: number,
): WorkerCounters {
  const { requests, testRequests } = readRequests(metrics);
  return {
    requests,
    testRequests,
    rateLimited: readRateLimited(metrics),
    shed: Object.fromEntries(Array.from(metrics.shed.children(), ({ labels, child }) => [labels.reason!, child.count])),
    queueDelay: metrics.queueDelay.child().counts,
    lagMs,
    partners: readPartners(metrics, recorder.partnerStates()),
  };
}

function readRequests({ requestDuration }: ReadMetrics): Pick<WorkerCounters, 'requests' | 'testRequests'> {
  const requests: Record<string, number[]> = {};
  let testRequests = 0;
  for (const { labels, child } of requestDuration.children()) {
    if (labels.mode === 'test') testRequests += totalOf(child);
    else requests[labels.outcome!] = child.counts;
  }
  return { requests, testRequests };
}

function readRateLimited({ limitDecisions }: ReadMetrics): Record<string, number> {
  const rateLimited: Record<string, number> = {};
  for (const { labels, child } of limitDecisions.children())
    if (labels.verdict === 'refused') rateLimited[labels.scope!] = child.count;
  return rateLimited;
}

function readPartners({ partnerDuration, bids }: ReadMetrics, states: readonly PartnerState[]): PartnerCounters[] {
  const partners = new Map<string, PartnerCounters>();
  for (const state of states) partners.set(state.name, { ...state, results: {}, latency: [], bids: {} });
  for (const { labels, child } of partnerDuration.children()) {
    const partner = partners.get(labels.partner!);
    if (!partner) continue;
    partner.results[labels.result!] = totalOf(child);
    if (labels.result !== 'skipped') addTo(partner.latency, child.counts);
  }
  for (const { labels, child } of bids.children()) {
    const partner = partners.get(labels.partner!);
    if (partner) partner.bids[labels.verdict!] = child.count;
  }
  return [...partners.values()];
}

const totalOf = ({ counts }: HistogramChild): number => counts.reduce((sum, count) => sum + count, 0);

function addTo(sums: number[], counts: readonly number[]): void {
  for (const [bucket, count] of counts.entries()) sums[bucket] = (sums[bucket] ?? 0) + count;
}
