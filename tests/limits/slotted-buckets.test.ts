/** Buckets in several slots, whose calls overlap in any order: all or nothing, and exact. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BatchBuilder } from '../../src/limits/batch-builder.ts';
import { type BucketRef, BucketResolver } from '../../src/limits/bucket-refs.ts';
import {
  type BucketBatch,
  type Buckets,
  BucketsUnavailable,
  decodeDecision,
  isAdmission,
  isRejection,
  isUndecided,
} from '../../src/limits/buckets.ts';
import { GcraEngine } from '../../src/limits/gcra.ts';
import type { Limits, RateLimitKeys } from '../../src/limits/rate-limiter.ts';
import { SlottedBuckets } from '../../src/limits/slotted-buckets.ts';
import { slotOf } from '../../src/limits/split-batch.ts';
import { batchOf } from '../support/bucket-batch.ts';
import { numRuns } from '../support/num-runs.ts';

const nowMicros = 1_794_700_000_050_000;

/** Slots in this process. Time stands still unless a test moves it; `delay` decides when a call is executed. */
class Slots {
  readonly engines = Array.from({ length: 4 }, () => new GcraEngine());
  readonly calls: { slot: number; batch: BucketBatch }[] = [];
  readonly down = new Set<number>();
  delay: () => Promise<unknown> = async () => {};
  /** Of each slot, in microseconds. */
  readonly skews = [0, 10_000_000, -777, 55_555];
  nowMs = 0;
  callMs = 0;

  worker(): SlottedBuckets {
    const [hot, ...slots] = this.engines.map((_, slot) => this.#buckets(slot));
    return new SlottedBuckets({ hot: hot!, slots, nowMs: () => this.nowMs });
  }

  /** The tokens that are missing from a bucket. */
  missing({ kind, name, limit }: BucketRef): number {
    const slot = kind === 'ip' ? 1 + slotOf(name, 3) : 0;
    const builder = new BatchBuilder(1_000);
    builder.addLease({ kind, name, limit }, 0, 0, 0, 0);
    const { grants } = this.engines[slot]!.decideAll(builder.batch, nowMicros + this.skews[slot]!);
    return grants[1]! / Math.ceil(1_000_000 / limit);
  }

  #buckets(slot: number): Buckets {
    const execute = async (): Promise<void> => {
      await this.delay();
      this.nowMs += this.callMs;
      if (this.down.has(slot)) throw new BucketsUnavailable('down');
    };
    return {
      timeoutMs: 400,
      decideAll: async (batch) => {
        this.calls.push({ slot, batch });
        await execute();
        return this.engines[slot]!.decideAll(batch, nowMicros + this.skews[slot]!);
      },
      probe: execute,
    };
  }
}

const limits: Limits = { ip: 6, publisher: 9, global: 20, reservedShare: 0.25 };
const resolver = new BucketResolver(limits);
const anyKeys: fc.Arbitrary<RateLimitKeys> = fc.record({
  ip: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  publisher: fc.constantFrom('pub-1', 'pub-2', undefined),
  overrides: fc.constantFrom({}, {}, { reserved: true as const }, { ip: 'exempt' as const }, { publisher: 3 }),
});
const anyBatches = fc.array(fc.array(anyKeys, { minLength: 1, maxLength: 15 }), { minLength: 1, maxLength: 6 });

interface Outcome {
  refs: BucketRef[];
  decision: number;
}

/** Undecided requests ask again, as in the limiter. */
async function decideBatches(buckets: Buckets, batches: readonly RateLimitKeys[][]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const batch of batches) {
    let waiting = batch;
    for (let round = 0; waiting.length > 0; round++) {
      expect(round).toBeLessThan(100);
      const { decisions } = await buckets.decideAll(batchOf(waiting, limits));
      for (const [at, decision] of decisions.entries()) {
        if (!isUndecided(decision)) outcomes.push({ refs: resolver.resolve(waiting[at]!), decision });
      }
      waiting = waiting.filter((_, at) => isUndecided(decisions[at]!));
    }
  }
  return outcomes;
}

/** Each bucket lacks as many tokens as requests were admitted to it: a rejected request is charged to none. */
function expectAllOrNothing(slots: Slots, outcomes: readonly Outcome[]): void {
  const refs = new Map(outcomes.flatMap((outcome) => outcome.refs.map((ref) => [ref.name, ref])));
  for (const ref of refs.values()) {
    const admitted = outcomes.filter(
      ({ refs: own, decision }) => isAdmission(decision) && own.some(({ name }) => name === ref.name),
    );
    expect(`${ref.name} ${slots.missing(ref)}`).toBe(`${ref.name} ${admitted.length}`);
    expect(admitted.length).toBeLessThanOrEqual(ref.limit);
  }
}

const rejectingRef = ({ refs, decision }: Outcome): BucketRef =>
  refs.find(({ kind }) => kind === decodeDecision(decision).kind)!;

test('property: workers whose calls overlap in any order: every bucket is charged with the admitted requests, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(anyBatches, { minLength: 1, maxLength: 3 }), async (s, workers) => {
      const slots = new Slots();
      slots.delay = () => s.schedule(Promise.resolve());
      const decided = Promise.all(workers.map((batches) => decideBatches(slots.worker(), batches)));
      const outcomes = (await s.waitFor(decided)).flat();
      await s.waitAll(); // the last settlements
      expectAllOrNothing(slots, outcomes);
    }),
    { numRuns: numRuns(500) },
  );
});

test('property: one worker: only an empty bucket rejects', async () => {
  await fc.assert(
    fc.asyncProperty(anyBatches, async (batches) => {
      const slots = new Slots();
      const outcomes = await decideBatches(slots.worker(), batches);
      expectAllOrNothing(slots, outcomes);
      for (const outcome of outcomes.filter(({ decision }) => isRejection(decision))) {
        const ref = rejectingRef(outcome);
        expect(slots.missing(ref)).toBe(ref.limit);
      }
    }),
    { numRuns: numRuns(500) },
  );
});

test('property: the buckets admit as many requests of one publisher and address as exact buckets in one place', async () => {
  const anyPlace = fc.constantFrom<RateLimitKeys>(
    { ip: 'a', publisher: 'pub-1' },
    { ip: 'a', publisher: undefined, overrides: { reserved: true } },
    { ip: 'a', publisher: 'pub-1', overrides: { ip: 'exempt' } },
  );
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), anyPlace, fc.nat(30), fc.nat(30), async (s, keys, first, second) => {
      const slots = new Slots();
      slots.delay = () => s.schedule(Promise.resolve());
      const batches = [first, second].map((length) => [Array.from({ length }, () => keys)]);
      const decided = Promise.all(batches.map((some) => decideBatches(slots.worker(), some)));
      const outcomes = (await s.waitFor(decided)).flat();
      const least = Math.min(...resolver.resolve(keys).map(({ limit }) => limit));
      expect(outcomes.filter(({ decision }) => isAdmission(decision))).toHaveLength(Math.min(first + second, least));
    }),
    { numRuns: numRuns(200) },
  );
});

describe('calls', () => {
  const summary = ({ calls }: Slots) =>
    calls.map(({ slot, batch }) => [
      slot === 0 ? 'hot' : 'addresses',
      batch.settlements ? 'settles' : batch.pendingRequests ? 'pending' : 'charges',
    ]);
  const keys = { ip: 'a', publisher: 'pub-1' };

  test('a request with buckets in two slots: its address is pending, then the others are charged, then it is settled', async () => {
    const slots = new Slots();
    await slots.worker().decideAll(batchOf([keys], limits));
    expect(summary(slots)).toEqual([
      ['addresses', 'pending'],
      ['hot', 'charges'],
      ['addresses', 'settles'],
    ]);
  });

  test('a request whose other buckets have leases is charged by one call', async () => {
    const slots = new Slots();
    const builder = new BatchBuilder(limits.global);
    builder.addRequest(resolver.resolve(keys).slice(0, 1));
    const { decisions } = await slots.worker().decideAll(builder.batch);
    expect(decisions.map(isAdmission)).toEqual([true]);
    expect(summary(slots)).toEqual([['addresses', 'charges']]);
  });

  test('a request that its address rejects is not sent to the hot slot', async () => {
    const slots = new Slots();
    const worker = slots.worker();
    await worker.decideAll(
      batchOf(
        Array.from({ length: 6 }, () => keys),
        limits,
      ),
    );
    slots.calls.length = 0;
    const { decisions } = await worker.decideAll(batchOf([keys], limits));
    expect(decodeDecision(decisions[0]!)).toMatchObject({ admitted: false, kind: 'ip' });
    expect(summary(slots)).toEqual([['addresses', 'pending']]);
  });

  test('leases are granted by the clock of their slot, in the order of the batch', async () => {
    const slots = new Slots();
    const builder = new BatchBuilder(1_000);
    const refs: BucketRef[] = [
      { kind: 'ip', name: 'i:a', limit: 100 },
      { kind: 'global', name: 'g', limit: 1_000 },
      { kind: 'ip', name: 'i:b', limit: 200 },
    ];
    for (const [at, ref] of refs.entries()) builder.addLease(ref, 0, 0, 0, at + 1);
    const { grants, grantClocks } = await slots.worker().decideAll(builder.batch);
    expect(grants).toEqual([1, 10_000, 2, 2_000, 3, 15_000]);
    const clockOf = (name: string) => nowMicros + slots.skews[1 + slotOf(name, 3)]!;
    expect(grantClocks).toEqual([clockOf('i:a'), nowMicros, clockOf('i:b')]);
  });
});

describe('a slot that is down', () => {
  const keys = { ip: 'a', publisher: 'pub-1' };
  const addressSlot = 1 + slotOf('i:a', 3);

  test.each([
    { what: 'the hot slot', slot: 0 },
    { what: 'the slot of an address', slot: 1 + slotOf('i:b', 3) },
  ])('$what: the batch fails, and what other slots charged as pending is refunded', async ({ slot }) => {
    expect(slot).not.toBe(addressSlot);
    const slots = new Slots();
    slots.down.add(slot);
    const batch = batchOf([keys, { ...keys, ip: 'b' }], limits);
    await expect(slots.worker().decideAll(batch)).rejects.toThrow(BucketsUnavailable);
    await new Promise((resolve) => setImmediate(resolve));
    for (const ref of resolver.resolve(keys)) expect(slots.missing(ref)).toBe(0);
  });

  test('a probe fails as long as any slot is down', async () => {
    const slots = new Slots();
    const worker = slots.worker();
    for (const slot of slots.engines.keys()) {
      slots.down.add(slot);
      await expect(worker.probe()).rejects.toThrow(BucketsUnavailable);
      slots.down.clear();
    }
    await worker.probe();
  });

  test('calls for addresses that take the whole time: the hot slot is not called', async () => {
    const slots = new Slots();
    slots.callMs = 400;
    await expect(slots.worker().decideAll(batchOf([keys], limits))).rejects.toThrow(BucketsUnavailable);
    expect(slots.calls.filter(({ slot }) => slot === 0)).toEqual([]);
  });
});
