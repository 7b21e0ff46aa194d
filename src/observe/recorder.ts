/** Records what happens, in the metrics: label sets are resolved once, at the start or when a partner is first met. */
import type { Metrics } from './metrics.ts';
import type { CounterChild, HistogramChild } from './fast-metrics.ts';

export type Stage = 'read' | 'admit' | 'validate' | 'auction' | 'respond';
export type TrafficMode = 'live' | 'test';

/** Cells of a metric by one or two labels, made when they are first asked for. */
function resolved<Child>(create: (first: string, second: string) => Child): (first: string, second?: string) => Child {
  const known = new Map<string, Map<string, Child>>();
  return (first, second = '') => {
    let bySecond = known.get(first);
    if (!bySecond) known.set(first, (bySecond = new Map()));
    let child = bySecond.get(second);
    if (!child) bySecond.set(second, (child = create(first, second)));
    return child;
  };
}

export class Recorder {
  readonly #requests: (outcome: string, mode?: string) => HistogramChild;
  readonly #stages: Record<Stage, HistogramChild>;
  readonly #errors: (code: string) => CounterChild;
  readonly #warnings: (code: string) => CounterChild;
  readonly #decisions: (verdict: string, scope?: string) => CounterChild;
  readonly #store: HistogramChild;
  readonly #partners: (partner: string, result?: string) => HistogramChild;
  readonly #bids: (partner: string, verdict?: string) => CounterChild;
  readonly #catalogue: Metrics;

  constructor(catalogue: Metrics) {
    const { requestDuration, stageDuration, errors, warnings, limitDecisions, partnerDuration, bids } = catalogue;
    this.#catalogue = catalogue;
    this.#requests = resolved((outcome, mode) => requestDuration.child(outcome, mode));
    this.#stages = {
      read: stageDuration.child('read'),
      admit: stageDuration.child('admit'),
      validate: stageDuration.child('validate'),
      auction: stageDuration.child('auction'),
      respond: stageDuration.child('respond'),
    };
    this.#errors = resolved((code) => errors.child(code));
    this.#warnings = resolved((code) => warnings.child(code));
    this.#decisions = resolved((verdict, scope) => limitDecisions.child(verdict, scope));
    this.#store = catalogue.limitStoreDuration.child();
    this.#partners = resolved((partner, result) => partnerDuration.child(partner, result));
    this.#bids = resolved((partner, verdict) => bids.child(partner, verdict));
  }

  /** Series that are there from the start, at zero: a rate misses the first event of one that appears with it. */
  prime(errorCodes: Iterable<string>, warningCodes: Iterable<string>, partners: Iterable<string>): void {
    for (const outcome of ['bid', 'no_bid', 'invalid', 'refused', 'error']) {
      for (const mode of ['live', 'test']) this.#requests(outcome, mode);
    }
    for (const code of errorCodes) this.#errors(code);
    for (const code of warningCodes) this.#warnings(code);
    this.#decisions('admitted', 'none');
    for (const scope of ['ip', 'publisher', 'global']) this.#decisions('refused', scope);
    for (const partner of partners) {
      for (const result of ['bid', 'no_bid', 'timeout', 'late', 'error', 'invalid', 'skipped']) {
        this.#partners(partner, result);
      }
      for (const verdict of ['won', 'lost']) this.#bids(partner, verdict);
      this.breaker(partner, 'closed');
    }
  }

  request(outcome: string, mode: TrafficMode, durationMs: number): void {
    this.#requests(outcome, mode).observe(durationMs / 1000);
  }

  stage(stage: Stage, durationMs: number): void {
    this.#stages[stage].observe(durationMs / 1000);
  }

  error(code: string): void {
    this.#errors(code).inc();
  }

  warning(code: string): void {
    this.#warnings(code).inc();
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

  bid(partner: string, verdict: string): void {
    this.#bids(partner, verdict).inc();
  }

  breaker(partner: string, now: string): void {
    for (const state of ['closed', 'open', 'half_open'])
      this.#catalogue.breaker.set({ partner, state }, state === now ? 1 : 0);
  }
}
