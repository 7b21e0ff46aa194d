/** Records what happens, in the metrics: label sets are resolved once, at the start or when a partner is first met. */
import type { Catalogue } from './catalogue.ts';

export type Stage = 'read' | 'admit' | 'validate' | 'auction' | 'respond';
export type TrafficMode = 'live' | 'test';

interface Observer {
  observe(value: number): void;
}
interface Counting {
  inc(): void;
}

/** Children of a metric by one or two labels, made when they are first asked for. */
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
  readonly #requests: (outcome: string, mode?: string) => Observer;
  readonly #stages: (stage: string) => Observer;
  readonly #errors: (code: string) => Counting;
  readonly #warnings: (code: string) => Counting;
  readonly #decisions: (verdict: string, scope?: string) => Counting;
  readonly #store: Observer;
  readonly #partners: (partner: string, result?: string) => Observer;
  readonly #bids: (partner: string, verdict?: string) => Counting;
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#requests = resolved((outcome, mode) => catalogue.requestDuration.labels(outcome, mode));
    this.#stages = resolved((stage) => catalogue.stageDuration.labels(stage));
    this.#errors = resolved((code) => catalogue.errors.labels(code));
    this.#warnings = resolved((code) => catalogue.warnings.labels(code));
    this.#decisions = resolved((verdict, scope) => catalogue.limitDecisions.labels(verdict, scope));
    this.#store = catalogue.limitStoreDuration;
    this.#partners = resolved((partner, result) => catalogue.partnerDuration.labels(partner, result));
    this.#bids = resolved((partner, verdict) => catalogue.bids.labels(partner, verdict));
  }

  /** Series that are there from the start, at zero: a rate misses the first event of one that appears with it. */
  prime(codes: Iterable<string>, partners: Iterable<string>): void {
    const { requestDuration, errors, limitDecisions, partnerDuration, bids } = this.#catalogue;
    for (const outcome of ['bid', 'no_bid', 'invalid', 'refused', 'error']) {
      for (const mode of ['live', 'test']) requestDuration.zero({ outcome, mode });
    }
    for (const code of codes) errors.inc({ code }, 0);
    limitDecisions.inc({ verdict: 'admitted', scope: 'none' }, 0);
    for (const scope of ['ip', 'publisher', 'global']) limitDecisions.inc({ verdict: 'refused', scope }, 0);
    for (const partner of partners) {
      for (const result of ['bid', 'no_bid', 'timeout', 'late', 'error', 'invalid', 'skipped']) {
        partnerDuration.zero({ partner, result });
      }
      for (const verdict of ['won', 'lost']) bids.inc({ partner, verdict }, 0);
      this.breaker(partner, 'closed');
    }
  }

  request(outcome: string, mode: TrafficMode, durationMs: number): void {
    this.#requests(outcome, mode).observe(durationMs / 1000);
  }

  stage(stage: Stage, durationMs: number): void {
    this.#stages(stage).observe(durationMs / 1000);
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
