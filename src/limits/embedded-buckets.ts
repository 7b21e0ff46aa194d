/** The buckets of one machine without Redis: kept by the primary, asked by its workers over IPC in batches. */
import type { BatchDecision, Buckets } from './buckets.ts';
import { GcraEngine } from './gcra-engine.ts';
import type { RateLimitKeys, Limits } from './rate-limiter.ts';
import { within } from './within.ts';

/** From worker to primary: decide on these claims. */
export interface BucketRequest {
  kind: 'buckets?';
  id: number;
  claims: readonly RateLimitKeys[];
}

/** From primary to worker: the decisions on the question of that id. */
export interface BucketResponse extends BatchDecision {
  kind: 'buckets!';
  id: number;
}

/** The primary has little else to do: one that does not answer for so long is stuck. */
const answerTimeoutMs = 1_000;

/** In the primary. */
export class EmbeddedBucketServer {
  readonly #engine: GcraEngine;
  readonly #nowMicros: () => number;

  constructor(limits: Limits, nowMicros: () => number) {
    this.#engine = new GcraEngine(limits);
    this.#nowMicros = nowMicros;
    setInterval(() => this.#engine.sweep(nowMicros()), 1_000).unref();
  }

  answer({ id, claims }: BucketRequest): BucketResponse {
    const nowMicros = this.#nowMicros();
    return { kind: 'buckets!', id, nowMicros, decisions: claims.map((claim) => this.#engine.decide(claim, nowMicros)) };
  }
}

/** In a worker. */
export class EmbeddedBucketClient implements Buckets {
  readonly #send: (question: BucketRequest) => void;
  readonly #open = new Map<number, (answer: BucketResponse) => void>();
  #asked = 0;

  /** `send` throws where the primary is gone. */
  constructor(send: (question: BucketRequest) => void) {
    this.#send = send;
  }

  async decideAll(claims: readonly RateLimitKeys[]): Promise<BatchDecision> {
    const id = this.#asked++;
    const { promise, resolve } = Promise.withResolvers<BatchDecision>();
    this.#open.set(id, resolve);
    try {
      this.#send({ kind: 'buckets?', id, claims });
      return await within(answerTimeoutMs, promise);
    } finally {
      this.#open.delete(id);
    }
  }

  async probe(): Promise<void> {
    await this.decideAll([]);
  }

  receive(answer: BucketResponse): void {
    this.#open.get(answer.id)?.(answer);
  }
}
