/** Decides requests by leases where it can, and by one call to the shared buckets for all others. */
import { BatchBuilder } from './batch-builder.ts';
import type { BucketRef } from './bucket-refs.ts';
import { type BatchDecision, type Buckets, checkReply, type Decision, isAdmission, isTighter } from './buckets.ts';
import type { LimitClocks } from './clocks.ts';
import { LeaseBook, type Reservation } from './lease-book.ts';

/** After a slower call no leases are requested: they would end before they can be used or returned. */
const maxCallMs = 20;

export interface Decided {
  decision: Decision;
  /** The clock of the buckets. */
  nowMicros: number;
  /** The clock of this process, before the decision. */
  sentAtMs: number;
}

export interface LeasedBucketsParts {
  buckets: Buckets;
  clocks: LimitClocks;
  onCall: (durationMs: number) => void;
}

/** A request of a call: its tokens of leases, and the buckets that the call charges. */
interface Sent {
  at: number;
  reserved: Reservation;
  refs: readonly BucketRef[];
}

export class LeasedBuckets {
  readonly #parts: LeasedBucketsParts;
  readonly #book = new LeaseBook();
  #lastCallMs = 0;

  constructor(parts: LeasedBucketsParts) {
    this.#parts = parts;
  }

  /** Decides without a call, if leases cover all buckets. Call it once per request: it counts the demand. */
  decideByLeases(refs: readonly BucketRef[]): Decided | undefined {
    const nowMs = this.#parts.clocks.nowMs();
    return this.#toDecided(this.#book.countAndSpend(refs, nowMs), nowMs);
  }

  /** Calls must not overlap. Renews and returns leases that are due, also if `batch` is empty. Rejects as `decideAll` of the buckets does. */
  async decideAll(
    batch: readonly (readonly BucketRef[])[],
    globalLimit: number,
    timeoutMs?: number,
  ): Promise<Decided[]> {
    const sentAtMs = this.#parts.clocks.nowMs();
    const builder = new BatchBuilder(globalLimit);
    const leases = this.#book.plan(builder, batch, sentAtMs, this.#lastCallMs <= maxCallMs);
    const results = batch.map((refs) => this.#toDecided(this.#book.spend(refs, sentAtMs), sentAtMs)!);
    const sent: Sent[] = [];
    for (const [at, refs] of batch.entries()) {
      if (results[at]) continue;
      const { reserved, others } = this.#book.reserve(refs, sentAtMs);
      builder.addRequest(others);
      sent.push({ at, reserved, refs });
    }
    if (sent.length + leases.length === 0) return results;
    const reply = await this.#call(builder, timeoutMs);
    const { nowMicros, decisions } = reply;
    for (const [index, { at, reserved, refs }] of sent.entries()) {
      const decision = this.#settle(decisions[index]!, reserved, refs, sentAtMs);
      results[at] = { decision, nowMicros, sentAtMs };
    }
    this.#book.install(leases, reply, sentAtMs);
    return results;
  }

  /** When `decideAll` is to be called for the leases; undefined without leases. */
  get nextDueMs(): number | undefined {
    return this.#book.nextDueMs;
  }

  /** Drops all leases. */
  clear(): void {
    this.#book.clear();
  }

  #toDecided(decision: Decision | undefined, nowMs: number): Decided | undefined {
    return decision === undefined
      ? undefined
      : { decision, nowMicros: this.#book.bucketMicros(nowMs), sentAtMs: nowMs };
  }

  async #call({ batch }: BatchBuilder, timeoutMs: number | undefined): Promise<BatchDecision> {
    const { buckets, clocks, onCall } = this.#parts;
    const sentAtMs = clocks.nowMs();
    try {
      const reply = await buckets.decideAll(batch, timeoutMs);
      checkReply(batch, reply);
      return reply;
    } finally {
      this.#lastCallMs = clocks.nowMs() - sentAtMs;
      onCall(this.#lastCallMs);
    }
  }

  /** A request that is not admitted spends no lease. An admitted one reports its tightest bucket, leased or not. */
  #settle(decision: Decision, reserved: Reservation, refs: readonly BucketRef[], nowMs: number): Decision {
    if (!isAdmission(decision)) {
      this.#book.release(reserved);
      return decision;
    }
    const leased = reserved.length > 0 ? this.#book.report(refs, nowMs) : undefined;
    return leased !== undefined && isTighter(leased, decision) ? leased : decision;
  }
}
