/** Workers with leases on one set of buckets, or on several slots with clocks of their own, in simulated time, next to exact buckets that are charged with the same admissions. */
import { type BucketRef, BucketResolver, scopeOf } from '../../src/limits/bucket-refs.ts';
import { OpenBucket, type StoredBucket, gcraParams } from '../../src/limits/bucket-state.ts';
import {
  type BatchDecision,
  type BucketBatch,
  type Buckets,
  decodeDecision,
  isRejection,
  isUndecided,
} from '../../src/limits/buckets.ts';
import { GcraEngine } from '../../src/limits/gcra.ts';
import { type Decided, LeasedBuckets } from '../../src/limits/leased-buckets.ts';
import type { Limits, RateLimitKeys } from '../../src/limits/rate-limiter.ts';
import { SlottedBuckets } from '../../src/limits/slotted-buckets.ts';

const retryMs = 10;

/** The buckets of one slot. */
interface Store {
  engine: GcraEngine;
  /** Its clock minus that of the hot slot. */
  skewMicros: number;
}

export interface Admission {
  name: string;
  limit: number;
  /** True time. */
  atMicros: number;
}

export interface Rejection {
  /** Tokens that the rejecting bucket would have without leases. */
  exactRemaining: number;
  limit: number;
}

interface Worker {
  leased: LeasedBuckets;
  lostTokens: () => number;
}

export class LeaseSimulation {
  readonly admissions: Admission[] = [];
  readonly rejections: Rejection[] = [];
  /** Requests that no call decided, because other workers held tokens. */
  undecided = 0;
  /** Requests that needed no call. */
  local = 0;
  /** Tokens that crashed workers held, at most. */
  lost = 0;
  readonly #resolver: BucketResolver;
  readonly #limits: Limits;
  /** The first is the hot slot. */
  readonly #stores: Store[];
  readonly #exact = new Map<string, StoredBucket>();
  readonly #workers: Worker[];
  #retries: { atMs: number; worker: number; refs: readonly BucketRef[] }[] = [];
  #nowMs = 1_000_000;
  /** Clock of the buckets minus true time. */
  #stepMicros = 1_794_700_000_000_000;
  #latencyMs = 0;
  /** How late pending charges are settled. */
  #settleDelayMs = 0;
  #late: { atMs: number; store: Store; batch: BucketBatch }[] = [];
  /** When each bucket of the call was charged, in true time. */
  readonly #chargedAt = new Map<string, number>();
  #executedAtMicros = 0;
  /** Calls with pending charges. */
  pendingCalls = 0;

  /** `skewsMs`: the clock of each slot of addresses minus that of the hot slot; none if all buckets are in one slot. */
  constructor(limits: Limits, workers: number, skewsMs: readonly number[] = []) {
    this.#stores = [0, ...skewsMs].map((skewMs) => ({ engine: new GcraEngine(), skewMicros: skewMs * 1000 }));
    this.#limits = limits;
    this.#resolver = new BucketResolver(limits);
    this.#workers = Array.from({ length: workers }, () => this.#startWorker());
  }

  get #nowMicros(): number {
    return Math.round(this.#nowMs * 1000);
  }

  async request(worker: number, keys: RateLimitKeys): Promise<void> {
    const refs = this.#resolver.resolve(keys);
    const { leased } = this.#workers[worker % this.#workers.length]!;
    const decided = leased.decideByLeases(refs);
    if (decided) {
      this.local++;
      this.#chargedAt.clear();
      this.#record(decided, refs, this.#nowMicros);
    } else {
      await this.#call(worker, [refs]);
    }
  }

  /** Leases are renewed and returned, and undecided requests ask again, as time passes. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const due = this.#workers.map(({ leased }) => leased.nextDueMs ?? Infinity);
      const retry = this.#retries.toSorted((one, other) => one.atMs - other.atMs)[0];
      const late = this.#late.toSorted((one, other) => one.atMs - other.atMs)[0];
      const nextMs = Math.min(...due, retry?.atMs ?? Infinity, late?.atMs ?? Infinity);
      if (nextMs > endMs) break;
      this.#nowMs = Math.max(this.#nowMs, nextMs);
      if (late && late.atMs <= nextMs) {
        this.#late = this.#late.filter((one) => one !== late);
        this.#execute(late.store, late.batch);
        continue;
      }
      if (retry && retry.atMs <= nextMs) {
        this.#retries = this.#retries.filter((one) => one !== retry);
        await this.#call(retry.worker, [retry.refs]);
      } else {
        await this.#call(due.indexOf(nextMs), []);
      }
    }
    this.#nowMs = Math.max(this.#nowMs, endMs);
  }

  crash(worker: number): void {
    const at = worker % this.#workers.length;
    this.lost += this.#workers[at]!.lostTokens();
    this.#workers[at] = this.#startWorker();
  }

  restartBuckets(): void {
    for (const store of this.#stores) store.engine = new GcraEngine();
  }

  stepClock(ms: number): void {
    this.#stepMicros += ms * 1000;
  }

  set latencyMs(ms: number) {
    this.#latencyMs = ms;
  }

  set settleDelayMs(ms: number) {
    this.#settleDelayMs = ms;
  }

  #startWorker(): Worker {
    let held = 0;
    const bucketsOf = (store: Store): Buckets => ({
      decideAll: async (batch) => {
        const decided = this.#decideAll(store, batch);
        held = decided.grants.reduce((sum, tokens, at) => sum + (at % 2 === 0 ? tokens : 0), held);
        return decided;
      },
      probe: async () => {},
      timeoutMs: 400,
    });
    const [hot, ...slots] = this.#stores.map(bucketsOf);
    const leased = new LeasedBuckets({
      // Time stands still for it: no call is too late.
      buckets: slots.length > 0 ? new SlottedBuckets({ hot: hot!, slots, nowMs: () => 0 }) : hot!,
      clocks: { nowMs: () => this.#nowMs, nowMicros: () => this.#nowMicros },
      onCall: () => {},
    });
    return { leased, lostTokens: () => held };
  }

  #decideAll(store: Store, batch: BucketBatch): BatchDecision {
    if (batch.settlements && this.#settleDelayMs > 0) {
      this.#late.push({ atMs: this.#nowMs + this.#settleDelayMs, store, batch });
      return { nowMicros: 0, decisions: [], grants: [] };
    }
    if (batch.pendingRequests) this.pendingCalls++;
    this.#nowMs += this.#latencyMs;
    const decided = this.#execute(store, batch);
    if (batch.requests.length > 0) this.#executedAtMicros = this.#nowMicros;
    for (const position of batch.requests) {
      if (position > 0) this.#chargedAt.set(batch.names[position - 1]!, this.#nowMicros);
    }
    this.#nowMs += this.#latencyMs;
    return decided;
  }

  #execute({ engine, skewMicros }: Store, batch: BucketBatch): BatchDecision {
    return engine.decideAll(batch, this.#nowMicros + this.#stepMicros + skewMicros);
  }

  async #call(worker: number, batch: readonly (readonly BucketRef[])[]): Promise<void> {
    const at = worker % this.#workers.length;
    const sentAtMicros = this.#nowMicros;
    this.#chargedAt.clear();
    const decided = await this.#workers[at]!.leased.decideAll(batch, this.#limits.global);
    for (const [index, refs] of batch.entries()) {
      if (isUndecided(decided[index]!.decision)) {
        this.undecided++;
        this.#retries.push({ atMs: this.#nowMs + retryMs, worker, refs });
      } else {
        this.#record(decided[index]!, refs, sentAtMicros);
      }
    }
  }

  /** Buckets without a lease are charged when their call is executed, the others before it is sent. */
  #record({ decision }: Decided, refs: readonly BucketRef[], sentAtMicros: number): void {
    if (isRejection(decision)) {
      const { kind } = decodeDecision(decision);
      const ref = refs.find((one) => one.kind === kind)!;
      this.rejections.push({
        exactRemaining: this.#openExact(ref, this.#executedAtMicros).remaining,
        limit: ref.limit,
      });
      return;
    }
    for (const ref of refs) {
      const atMicros = this.#chargedAt.get(ref.name) ?? sentAtMicros;
      this.admissions.push({ name: `${scopeOf(ref.kind)} ${ref.name}`, limit: ref.limit, atMicros });
      const exact = this.#openExact(ref, atMicros);
      exact.take(1);
      this.#exact.set(ref.name, exact.toStored());
    }
  }

  #openExact({ name, limit }: BucketRef, atMicros: number): OpenBucket {
    return new OpenBucket(this.#exact.get(name), gcraParams(limit), atMicros);
  }
}

/** The most tokens by which any bucket was overdrawn in any period, beyond `bursts` full buckets and the refill; at most 0 if none was. */
export function overdraft(admissions: readonly Admission[], bursts = 1): number {
  let worst = -Infinity;
  for (const same of Map.groupBy(admissions, ({ name }) => name).values()) {
    const { emissionIntervalMicros, burst } = gcraParams(same[0]!.limit);
    // The largest sum of (1 − refill since the admission before) over any run of admissions.
    let run = 0;
    let lastMicros = -Infinity;
    for (const { atMicros } of same.toSorted((one, other) => one.atMicros - other.atMicros)) {
      run = Math.max(run - (atMicros - lastMicros) / emissionIntervalMicros, 0) + 1;
      lastMicros = atMicros;
      worst = Math.max(worst, run - bursts * burst);
    }
  }
  return worst;
}
