/** Finds publishers whose requests are mostly invalid: their number is a metric, their ids are in the log. */
import { Gauge, type Registry } from 'prom-client';
import { maxLoggedIdLength } from '../contract/api-limits.ts';
import type { Logger } from './logger.ts';
import { copyStart } from '../json/copy-start.ts';

export interface InvalidPublishersParts {
  register: Registry;
  logger: Pick<Logger, 'warn'>;
  nowMs: () => number;
}

/** The parts of an error response that are logged. */
interface Invalid {
  code: string;
  field?: string | undefined;
}

interface Counts {
  requests: number;
  invalid: number;
  last: Invalid;
}

const windowMs = 60_000;
/** Fewer requests per window say nothing about a share. */
const minRequests = 30;
const minInvalidShare = 0.5;
/** Publisher ids come from callers, so their number is bounded. */
const maxPublishers = 1_000;
const maxLines = 10;

export class InvalidPublishers {
  readonly #parts: InvalidPublishersParts;
  #startedAtMs: number;
  #publishers = new Map<string, Counts>();
  #found = 0;

  constructor(parts: InvalidPublishersParts) {
    this.#parts = parts;
    this.#startedAtMs = parts.nowMs();
    const currentNumber = () => this.#currentNumber();
    const gauge = new Gauge({
      name: 'exchange_invalid_publishers',
      help: 'Publishers with at least 30 live requests in the last minute, of which at least half were invalid',
      aggregator: 'max', // one publisher may be seen by every worker
      registers: [],
      collect() {
        this.set(currentNumber());
      },
    });
    parts.register.registerMetric(gauge);
  }

  /** A live request was valid, or invalid for the reason in `error`. Publishers are counted from their first invalid request on. */
  observe(publisher: string | undefined, error: Invalid | undefined): void {
    if (publisher === undefined || (error === undefined && this.#publishers.size === 0)) return;
    const id = copyStart(publisher, maxLoggedIdLength);
    const counts = this.#publishers.get(id);
    if (counts) {
      counts.requests++;
      if (error) {
        counts.invalid++;
        counts.last = error;
      }
    } else if (error && this.#publishers.size < maxPublishers) {
      this.#publishers.set(id, { requests: 1, invalid: 1, last: error });
    }
  }

  /** The number in the last complete window. Each scrape ends a window that is due. */
  #currentNumber(): number {
    const now = this.#parts.nowMs();
    if (now - this.#startedAtMs < windowMs) return this.#found;
    const found = [...this.#publishers].filter(
      ([, { requests, invalid }]) => requests >= minRequests && invalid >= minInvalidShare * requests,
    );
    this.#publishers.clear();
    this.#startedAtMs = now;
    this.#found = found.length;
    found.sort(([, a], [, b]) => b.invalid - a.invalid);
    for (const [publisher, counts] of found.slice(0, maxLines)) this.#log(publisher, counts);
    return this.#found;
  }

  #log(publisher: string, { requests, invalid, last: { code, field } }: Counts): void {
    this.#parts.logger.warn({ publisher, requests, invalid, code, field }, 'publisher sends invalid requests');
  }
}
