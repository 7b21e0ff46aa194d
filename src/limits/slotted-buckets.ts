/** Buckets in several slots of a Redis Cluster: address buckets by a hash of their name, all others in the hot slot. */
import {
  type BatchDecision,
  type BucketBatch,
  type Buckets,
  BucketsUnavailable,
  checkReply,
  isAdmission,
} from './buckets.ts';
import { commandTimeoutMs } from './redis-connection.ts';
import { type Part, SplitBatch } from './split-batch.ts';

export interface SlottedBucketsParts {
  /** The buckets that most requests share. */
  hot: Buckets;
  /** The address buckets, on the connection of `hot`. Their number determines where a bucket is: it is the same for all workers. */
  slots: readonly Buckets[];
  /** A monotonic clock. */
  nowMs: () => number;
}

/**
 * A request whose buckets are in one slot is decided by one call. Otherwise its address is charged as pending, then its other
 * buckets are charged, and then the pending charge is kept or refunded.
 */
export class SlottedBuckets implements Buckets {
  readonly timeoutMs = commandTimeoutMs;
  readonly #parts: SlottedBucketsParts;

  constructor(parts: SlottedBucketsParts) {
    this.#parts = parts;
  }

  /** Probes every slot: a batch may need each of them. */
  async probe(): Promise<void> {
    const { hot, slots } = this.#parts;
    await Promise.all([hot, ...slots].map((buckets) => buckets.probe()));
  }

  close(): void {
    this.#parts.hot.close?.();
  }

  async decideAll(batch: BucketBatch, timeoutMs = this.timeoutMs): Promise<BatchDecision> {
    const { slots, nowMs } = this.#parts;
    const deadlineMs = nowMs() + timeoutMs;
    const split = new SplitBatch(batch, slots.length);
    try {
      const calls = split.slots.map((part) => call(slots[part.slot]!, part, timeoutMs));
      // The call to the hot slot waits for the others only if it depends on their decisions.
      if (!split.hasPending) calls.push(this.#callHot(split, timeoutMs));
      await allDone(calls);
      if (split.hasPending) await this.#callHot(split, deadlineMs - nowMs());
    } catch (error) {
      this.#settle(split, () => false);
      throw error;
    }
    const decided = split.merge();
    this.#settle(split, (request) => isAdmission(decided.decisions[request]!));
    return decided;
  }

  async #callHot(split: SplitBatch, timeoutMs: number): Promise<void> {
    const part = split.addHot();
    if (!part) return;
    if (timeoutMs <= 0) throw new BucketsUnavailable('the calls for addresses left no time for the others');
    await call(this.#parts.hot, part, timeoutMs);
  }

  /** No request waits for this. Calls to a slot stay in order, so the next one finds the charges settled. A failure shows in the next call. */
  #settle(split: SplitBatch, isKept: (request: number) => boolean): void {
    for (const { slot, batch } of split.settlements(isKept)) this.#parts.slots[slot]!.decideAll(batch).catch(() => {});
  }
}

async function call(buckets: Buckets, part: Part, timeoutMs: number): Promise<void> {
  const { batch } = part.builder;
  const reply = await buckets.decideAll(batch, timeoutMs);
  checkReply(batch, reply);
  part.reply = reply;
}

/** Waits for all calls, also if one fails: what the others charged is known then. */
async function allDone(calls: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(calls)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
