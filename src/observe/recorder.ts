/** Records events in the metrics; each label set is resolved once, at startup or at its first use. */
import type { PartnerSample } from '../contract/console-api.ts';
import { createDeadlineGauge, type PartnerDeadline } from './deadline-gauge.ts';
import type { Metrics } from './metrics.ts';
import type { CounterChild, HistogramChild } from './fast-metrics.ts';

type BreakerState = PartnerSample['breaker'];
const breakerStates = Object.keys({ closed: true, open: true, half_open: true } satisfies Record<BreakerState, true>);

export type Stage = 'read' | 'admit' | 'validate' | 'auction' | 'respond';

/** Looks up children by one or two labels, and creates each at its first use. */
function cachedChildren<Child>(
  create: (first: string, second: string) => Child,
): (first: string, second?: string) => Child {
  const children = new Map<string, Map<string, Child>>();
  return (first, second = '') => {
    let bySecond = children.get(first);
    if (!bySecond) children.set(first, (bySecond = new Map()));
    let child = bySecond.get(second);
    if (!child) bySecond.set(second, (child = create(first, second)));
    return child;
  };
}

/** Label values that are known at startup. */
export interface KnownLabels {
  outcomes: Iterable<string>;
  /** Scopes of rate limits. */
  scopes: Iterable<string>;
  errorCodes: Iterable<string>;
  shedReasons: Iterable<string>;
  warningCodes: Iterable<string>;
  partners: Iterable<string>;
  partnerResults: Iterable<string>;
}

export interface PartnerState {
  name: string;
  /** Null for a local bidder. */
  deadlineMs: number | null;
  breaker: BreakerState;
  revenueMicros: number;
}

export class Recorder {
  readonly #requests: (outcome: string, mode?: string) => HistogramChild;
  readonly #stages: Record<Stage, HistogramChild>;
  readonly #errors: (code: string) => CounterChild;
  readonly #shed: (reason: string) => CounterChild;
  readonly #descriptorsExhausted: CounterChild;
  readonly #responsesCut: (reason: string) => CounterChild;
  readonly #warnings: (code: string) => CounterChild;
  readonly #decisions: (result: string, scope?: string) => CounterChild;
  readonly #store: HistogramChild;
  readonly #queueDelay: HistogramChild;
  readonly #partners: (partner: string, result?: string) => HistogramChild;
  readonly #bids: (partner: string, result?: string) => CounterChild;
  readonly #metrics: Metrics;
  readonly #revenueMicros = new Map<string, number>();
  readonly #breakers = new Map<string, BreakerState>();
  #deadlines: readonly PartnerDeadline[] = [];

  constructor(metrics: Metrics) {
    const {
      requestDuration,
      stageDuration,
      errors,
      shed,
      descriptorsExhausted,
      responsesCut,
      warnings,
      limitDecisions,
      partnerDuration,
      bids,
    } = metrics;
    this.#metrics = metrics;
    this.#requests = cachedChildren((outcome, mode) => requestDuration.child(outcome, mode));
    this.#stages = {
      read: stageDuration.child('read'),
      admit: stageDuration.child('admit'),
      validate: stageDuration.child('validate'),
      auction: stageDuration.child('auction'),
      respond: stageDuration.child('respond'),
    };
    this.#errors = cachedChildren((code) => errors.child(code));
    this.#shed = cachedChildren((reason) => shed.child(reason));
    this.#descriptorsExhausted = descriptorsExhausted.child();
    this.#responsesCut = cachedChildren((reason) => responsesCut.child(reason));
    this.#warnings = cachedChildren((code) => warnings.child(code));
    this.#decisions = cachedChildren((result, scope) => limitDecisions.child(result, scope));
    this.#store = metrics.limitStoreDuration.child();
    this.#queueDelay = metrics.queueDelay.child();
    this.#partners = cachedChildren((partner, result) => partnerDuration.child(partner, result));
    this.#bids = cachedChildren((partner, result) => bids.child(partner, result));
  }

  /** Creates series at zero: Prometheus's rate() misses the first event of a series that starts with it. */
  prime(known: KnownLabels): void {
    for (const outcome of known.outcomes) {
      for (const mode of ['live', 'test']) this.#requests(outcome, mode);
    }
    for (const code of known.errorCodes) this.#errors(code);
    for (const reason of known.shedReasons) this.#shed(reason);
    for (const reason of ['timeout', 'memory']) this.#responsesCut(reason);
    for (const reason of ['queue_full', 'export_failed']) this.spansDropped(0, reason);
    for (const code of known.warningCodes) this.#warnings(code);
    this.#decisions('admitted', 'none');
    for (const scope of known.scopes) this.#decisions('refused', scope);
    for (const partner of known.partners) {
      for (const result of known.partnerResults) this.#partners(partner, result);
      for (const result of ['won', 'lost']) this.#bids(partner, result);
      this.breaker(partner, 'closed');
    }
  }

  request(outcome: string, mode: string, durationMs: number): void {
    this.#requests(outcome, mode).observe(durationMs / 1000);
  }

  queueDelay(delayMs: number): void {
    this.#queueDelay.observe(delayMs / 1000);
  }

  stage(stage: Stage, durationMs: number): void {
    this.#stages[stage].observe(durationMs / 1000);
  }

  error(code: string): void {
    this.#errors(code).inc();
  }

  shed(reason: string): void {
    this.#shed(reason).inc();
  }

  secondWithoutDescriptor(): void {
    this.#descriptorsExhausted.inc();
  }

  responseCut(reason: string): void {
    this.#responsesCut(reason).inc();
  }

  warning(code: string): void {
    this.#warnings(code).inc();
  }

  auctionLogDropped(entries: number): void {
    this.#metrics.auctionLogDropped.inc(entries);
  }

  spansDropped(spans: number, reason: string): void {
    this.#metrics.spansDropped.inc({ reason }, spans);
  }

  limitDecision(admitted: boolean, scope: string): void {
    this.#decisions(admitted ? 'admitted' : 'refused', admitted ? 'none' : scope).inc();
  }

  limitStore(durationMs: number): void {
    this.#store.observe(durationMs / 1000);
  }

  partner(partner: string, result: string, durationMs: number): void {
    this.#partners(partner, result).observe(durationMs / 1000);
  }

  /** `paidMicros` is what a winning bid pays per thousand impressions. */
  bid(partner: string, result: string, paidMicros?: number): void {
    this.#bids(partner, result).inc();
    if (paidMicros === undefined) return;
    this.#revenueMicros.set(partner, (this.#revenueMicros.get(partner) ?? 0) + paidMicros / 1000);
  }

  breaker(partner: string, currentState: BreakerState): void {
    this.#breakers.set(partner, currentState);
    for (const state of breakerStates) {
      this.#metrics.breaker.set({ partner, state }, state === currentState ? 1 : 0);
    }
  }

  /** The current deadline of each partner is reported from now on. */
  deadlines(partners: readonly PartnerDeadline[]): void {
    this.#deadlines = partners;
    this.#metrics.register.registerMetric(createDeadlineGauge(partners));
  }

  /** The state of each partner that no counter has. Revenue is in micros of USD, since the start. */
  partnerStates(): PartnerState[] {
    return this.#deadlines.map(({ name, deadlineMs }) => ({
      name,
      deadlineMs: deadlineMs ?? null,
      breaker: this.#breakers.get(name) ?? 'closed',
      revenueMicros: this.#revenueMicros.get(name) ?? 0,
    }));
  }
}
