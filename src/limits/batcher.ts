/** Groups requests into batches: one batch is in flight at a time, and requests that arrive meanwhile form the next. */

interface Pending<Request, Result> {
  request: Request;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export class Batcher<Request, Result> {
  readonly #maxBatchSize: () => number;
  readonly #process: (batch: readonly Request[]) => Promise<readonly Result[]>;
  #queue: Pending<Request, Result>[] = [];
  #isRunning = false;

  /** `maxBatchSize` is read for each batch. `process` returns one result per request, in order. If it fails, all requests of that batch are rejected, and no others. */
  constructor(maxBatchSize: () => number, process: (batch: readonly Request[]) => Promise<readonly Result[]>) {
    this.#maxBatchSize = maxBatchSize;
    this.#process = process;
  }

  add(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#queue.length > 0) {
      await Promise.resolve(); // requests that are added in one go share the batch
      await this.#settle(this.#nextBatch());
    }
    this.#isRunning = false;
  }

  #nextBatch(): Pending<Request, Result>[] {
    const batch = this.#queue;
    const maxBatchSize = this.#maxBatchSize();
    this.#queue = batch.length > maxBatchSize ? batch.splice(maxBatchSize) : [];
    return batch;
  }

  /** Never rejects: a defect in one batch must not stop the next. */
  async #settle(batch: readonly Pending<Request, Result>[]): Promise<void> {
    try {
      const results = await this.#process(batch.map(({ request }) => request));
      if (results.length !== batch.length) throw new Error(`${results.length} results for ${batch.length} requests`);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
