/** Assembles the batch of one call: each bucket is listed once, requests and leases refer to it by position. */
import { type BucketRef, globalName, kinds } from './bucket-refs.ts';
import type { BucketBatch } from './buckets.ts';

export class BatchBuilder {
  readonly batch: BucketBatch;
  readonly #positions = new Map<string, number>();

  constructor(globalLimit: number) {
    this.batch = { names: [globalName], limits: [globalLimit], requests: [], leases: [] };
    this.#positions.set(globalName, 1);
  }

  /** The buckets to charge, in the order of `kinds`. */
  addRequest(refs: readonly BucketRef[]): void {
    const { requests } = this.batch;
    let next = 0;
    for (const kind of kinds) requests.push(refs[next]?.kind === kind ? this.#positionOf(refs[next++]!) : 0);
  }

  /** Before all others. */
  addPendingRequest(refs: readonly BucketRef[]): void {
    this.addRequest(refs);
    this.batch.pendingRequests = (this.batch.pendingRequests ?? 0) + 1;
  }

  addLease(ref: BucketRef, epoch: number, taken: number, unspent: number, wanted: number): void {
    this.batch.leases.push(this.#positionOf(ref), epoch, taken, unspent, wanted);
  }

  addSettlement(ref: BucketRef, epoch: number, tokens: number, refunded: number): void {
    (this.batch.settlements ??= []).push(this.#positionOf(ref), epoch, tokens, refunded);
  }

  #positionOf({ name, limit }: BucketRef): number {
    let position = this.#positions.get(name);
    if (position === undefined) {
      this.#positions.set(name, (position = this.batch.names.push(name)));
      this.batch.limits.push(limit);
    }
    return position;
  }
}
