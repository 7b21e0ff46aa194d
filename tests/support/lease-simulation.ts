/** Workers with leases on one set of buckets, in simulated time, next to exact buckets that are charged with the same admissions. */
import { type BucketRef, BucketResolver, kinds, scopeOf } from '../../src/limits/bucket-refs.ts';
import { OpenBucket, type StoredBucket, gcraParams } from '../../src/limits/bucket-state.ts';
import {
  type BatchDecision,
  type BucketBatch,
  decodeDecision,
  isRejection,
  isUndecided,
} from '../../src/limits/buckets.ts';
import { GcraEngine } from '../../src/limits/gcra.ts';
import { type Decided, LeasedBuckets } from '../../src/limits/leased-buckets.ts';
import type { Limits, RateLimitKeys } from '../../src/limits/rate-limiter.ts';

const retryMs = 10;

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
  #engine = new GcraEngine();
  readonly #exact = new Map<string, StoredBucket>();
  readonly #workers: Worker[];
  #retries: { atMs: number; worker: number; refs: readonly BucketRef[] }[] = [];
  #nowMs = 1_000_000;
  /** Clock of the buckets minus true time. */
  #stepMicros = 1_794_700_000_000_000;
  #latencyMs = 0;
  #charged: string[][] = [];
  #executedAtMicros = 0;

  constructor(limits: Limits, workers: number) {
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
      this.#record(decided, refs, [], this.#nowMicros);
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
      const nextMs = Math.min(...due, retry?.atMs ?? Infinity);
      if (nextMs > endMs) break;
      this.#nowMs = Math.max(this.#nowMs, nextMs);
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
    this.#engine = new GcraEngine();
  }

  stepClock(ms: number): void {
    this.#stepMicros += ms * 1000;
  }

  set latencyMs(ms: number) {
    this.#latencyMs = ms;
  }

  #startWorker(): Worker {
    let held = 0;
    const leased = new LeasedBuckets({
      buckets: {
        decideAll: async (batch) => {
          const decided = this.#decideAll(batch);
          held = decided.grants.reduce((sum, tokens, at) => sum + (at % 2 === 0 ? tokens : 0), held);
          return decided;
        },
        probe: async () => {},
      },
      clocks: { nowMs: () => this.#nowMs, nowMicros: () => this.#nowMicros },
      onCall: () => {},
    });
    return { leased, lostTokens: () => held };
  }

  #decideAll(batch: BucketBatch): BatchDecision {
    this.#nowMs += this.#latencyMs;
    this.#executedAtMicros = this.#nowMicros;
    const decided = this.#engine.decideAll(batch, this.#executedAtMicros + this.#stepMicros);
    this.#charged = decided.decisions.map((_, at) => {
      const positions = batch.requests.slice(at * kinds.length, (at + 1) * kinds.length);
      return positions.filter((position) => position > 0).map((position) => batch.names[position - 1]!);
    });
    this.#nowMs += this.#latencyMs;
    return decided;
  }

  async #call(worker: number, batch: readonly (readonly BucketRef[])[]): Promise<void> {
    const at = worker % this.#workers.length;
    const sentAtMicros = this.#nowMicros;
    this.#charged = [];
    const decided = await this.#workers[at]!.leased.decideAll(batch, this.#limits.global);
    for (const [index, refs] of batch.entries()) {
      if (isUndecided(decided[index]!.decision)) {
        this.undecided++;
        this.#retries.push({ atMs: this.#nowMs + retryMs, worker, refs });
      } else {
        this.#record(decided[index]!, refs, this.#charged[index] ?? [], sentAtMicros);
      }
    }
  }

  /** `charged` buckets are charged when the call is executed, the others, from leases, before it is sent. */
  #record({ decision }: Decided, refs: readonly BucketRef[], charged: readonly string[], sentAtMicros: number): void {
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
      const atMicros = charged.includes(ref.name) ? this.#executedAtMicros : sentAtMicros;
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
