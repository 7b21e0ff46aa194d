/** The buckets of one machine without Redis: the primary holds them, and its workers call it over IPC in batches. */
import { TransientMap } from '../memory/transient-map.ts';
import { type BatchDecision, type BucketBatch, type Buckets, BucketsUnavailable } from './buckets.ts';
import { withTimeout } from './clocks.ts';
import { GcraEngine } from './gcra.ts';

/** From a worker to the primary. */
export interface BucketRequest {
  kind: 'bucket-request';
  id: number;
  batch: BucketBatch;
}

/** From the primary to the worker, with the `id` of its request. */
export interface BucketResponse extends BatchDecision {
  kind: 'bucket-response';
  id: number;
}

/** The primary decides a batch in microseconds: if it takes this long, it is blocked. */
const responseTimeoutMs = 1_000;
const sweepIntervalMs = 1_000;

/** In the primary. */
export class EmbeddedBucketServer {
  readonly #engine = new GcraEngine();
  readonly #nowMicros: () => number;

  constructor(nowMicros: () => number) {
    this.#nowMicros = nowMicros;
    setInterval(() => this.#engine.sweep(nowMicros()), sweepIntervalMs).unref();
  }

  handle({ id, batch }: BucketRequest): BucketResponse {
    return { kind: 'bucket-response', id, ...this.#engine.decideAll(batch, this.#nowMicros()) };
  }
}

/** In a worker. */
export class EmbeddedBucketClient implements Buckets {
  readonly timeoutMs = responseTimeoutMs;
  readonly #send: (request: BucketRequest) => void;
  readonly #pending = new TransientMap<number, (response: BucketResponse) => void>();
  #lastId = 0;

  /** `send` throws if the primary is gone. */
  constructor(send: (request: BucketRequest) => void) {
    this.#send = send;
  }

  /** The number of calls that wait for a response. */
  get size(): number {
    return this.#pending.size;
  }

  async decideAll(batch: BucketBatch, timeoutMs = this.timeoutMs): Promise<BatchDecision> {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<BucketResponse>();
    this.#pending.set(id, resolve);
    try {
      this.#send({ kind: 'bucket-request', id, batch });
      return await withTimeout(timeoutMs, promise);
    } catch (error) {
      throw new BucketsUnavailable(`the call to the primary failed: ${(error as Error).message}`, { cause: error });
    } finally {
      this.#pending.delete(id);
    }
  }

  async probe(): Promise<void> {
    await this.decideAll({ names: [], limits: [], requests: [], leases: [] });
  }

  /** Responses that arrive after the timeout are ignored. */
  receive(response: BucketResponse): void {
    this.#pending.get(response.id)?.(response);
  }
}
