/** Leases against the exact limiter: they never admit more, and admit less by no more than what is on lease. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Limits, RateLimitKeys } from '../../src/limits/rate-limiter.ts';
import { LeaseSimulation, overdraft } from '../support/lease-simulation.ts';
import { numRuns } from '../support/num-runs.ts';

const limits: Limits = { ip: 100, publisher: 200, global: 400, reservedShare: 0.25 };

const keysAt = (at: number): RateLimitKeys => ({
  ip: `203.0.113.${at % 4}`,
  publisher: ['pub-1', 'pub-2', undefined][at % 3],
  ...(at % 5 === 0 && { overrides: { reserved: true as const } }),
});

type Step =
  | { kind: 'steady'; requests: number; gapMs: number; address: number | undefined }
  | { kind: 'burst'; requests: number; worker: number | undefined; address: number | undefined }
  | { kind: 'idle'; ms: number }
  | { kind: 'crash'; worker: number }
  | { kind: 'restart' }
  | { kind: 'clock'; ms: number }
  | { kind: 'latency'; ms: number }
  | { kind: 'settling'; ms: number };

const anyAddress = fc.option(fc.nat(3), { nil: undefined });
const anyTraffic: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('steady' as const),
      requests: fc.integer({ min: 10, max: 150 }),
      gapMs: fc.constantFrom(0.5, 1, 3, 7, 12),
      address: anyAddress,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('burst' as const),
      requests: fc.integer({ min: 5, max: 300 }),
      worker: fc.option(fc.nat(4), { nil: undefined }),
      address: anyAddress,
    }),
  },
  fc.record({ kind: fc.constant('idle' as const), ms: fc.integer({ min: 1, max: 1_500 }) }),
);
const anyCrash: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('crash' as const), worker: fc.nat(4) });
const anyLatency: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('latency' as const),
  ms: fc.constantFrom(0, 0.3, 5, 30, 200),
});
const anyStoreFault: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('restart' as const) }),
  fc.record({ kind: fc.constant('clock' as const), ms: fc.integer({ min: -3_000, max: 3_000 }) }),
);

async function run(
  workers: number,
  steps: readonly Step[],
  own = limits,
  skewsMs: readonly number[] = [],
): Promise<LeaseSimulation> {
  const simulation = new LeaseSimulation(own, workers, skewsMs);
  let sent = 0;
  for (const step of steps) {
    if (step.kind === 'steady' || step.kind === 'burst') {
      for (let i = 0; i < step.requests; i++) {
        const worker = 'worker' in step && step.worker !== undefined ? step.worker : sent * 7;
        const keys = keysAt(sent++);
        const { address } = step;
        await simulation.request(worker, address === undefined ? keys : { ...keys, ip: `203.0.113.${address}` });
        if ('gapMs' in step) await simulation.advance(step.gapMs);
      }
    } else if (step.kind === 'idle') await simulation.advance(step.ms);
    else if (step.kind === 'crash') simulation.crash(step.worker);
    else if (step.kind === 'restart') simulation.restartBuckets();
    else if (step.kind === 'clock') simulation.stepClock(step.ms);
    else if (step.kind === 'latency') simulation.latencyMs = step.ms;
    else simulation.settleDelayMs = step.ms;
  }
  await simulation.advance(1_000);
  return simulation;
}

const anyWorkers = fc.integer({ min: 1, max: 5 });
const anySteps = (...more: fc.Arbitrary<Step>[]) =>
  fc.array(fc.oneof({ weight: 6, arbitrary: anyTraffic }, ...more), { minLength: 1, maxLength: 10 });

test('property: no bucket is overdrawn in any period, whatever the workers, crashes and delays of calls', async () => {
  await fc.assert(
    fc.asyncProperty(anyWorkers, anySteps(anyCrash, anyLatency), async (workers, steps) => {
      expect(overdraft((await run(workers, steps)).admissions)).toBeLessThanOrEqual(1e-6);
    }),
    { numRuns: numRuns(300) },
  );
});

test('property: a restart of the buckets, or a step of their clock, admits at most one bucket more', async () => {
  await fc.assert(
    fc.asyncProperty(anyWorkers, anySteps(anyCrash, anyLatency, anyStoreFault), async (workers, steps) => {
      const faults = steps.filter(({ kind }) => kind === 'restart' || kind === 'clock').length;
      expect(overdraft((await run(workers, steps)).admissions, 1 + faults)).toBeLessThanOrEqual(1e-6);
    }),
    { numRuns: numRuns(300) },
  );
});

test('property: a request is rejected only if its bucket without leases would have at most a tenth of its tokens', async () => {
  await fc.assert(
    fc.asyncProperty(anyWorkers, anySteps(), async (workers, steps) => {
      for (const { exactRemaining, limit } of (await run(workers, steps)).rejections) {
        expect(exactRemaining).toBeLessThanOrEqual(Math.floor(limit / 10));
      }
    }),
    { numRuns: numRuns(300) },
  );
});

test('property: crashed workers reduce a bucket by at most the tokens that they held', async () => {
  await fc.assert(
    fc.asyncProperty(anyWorkers, anySteps(anyCrash), async (workers, steps) => {
      const { rejections, lost } = await run(workers, steps);
      for (const { exactRemaining, limit } of rejections) {
        expect(exactRemaining).toBeLessThanOrEqual(Math.floor(limit / 10) + lost);
      }
    }),
    { numRuns: numRuns(100) },
  );
});

describe('with addresses in slots whose clocks differ', () => {
  const anySkews = fc.array(fc.constantFrom(0, 37, 99, -250, 3_600_000, -3_600_000), { minLength: 1, maxLength: 3 });
  const anySettling: fc.Arbitrary<Step> = fc.record({
    kind: fc.constant('settling' as const),
    ms: fc.constantFrom(0, 1, 50, 150, 300),
  });
  const anyLimits = fc.constantFrom(limits, { ...limits, publisher: 20 }, { ...limits, global: 60 });

  test('property: no bucket is overdrawn, whenever pending charges are settled', async () => {
    const steps = anySteps(anyCrash, anyLatency, anySettling);
    await fc.assert(
      fc.asyncProperty(anyWorkers, steps, anyLimits, anySkews, async (workers, some, own, skewsMs) => {
        expect(overdraft((await run(workers, some, own, skewsMs)).admissions)).toBeLessThanOrEqual(1e-6);
      }),
      { numRuns: numRuns(300) },
    );
  });

  test('property: a request is rejected only if its bucket without leases would have at most a tenth of its tokens', async () => {
    await fc.assert(
      fc.asyncProperty(anyWorkers, anySteps(), anyLimits, anySkews, async (workers, steps, own, skewsMs) => {
        for (const { exactRemaining, limit } of (await run(workers, steps, own, skewsMs)).rejections) {
          expect(exactRemaining).toBeLessThanOrEqual(Math.floor(limit / 10));
        }
      }),
      { numRuns: numRuns(300) },
    );
  });

  test('steady traffic needs few calls, and charges are pending only if a request has no lease in either slot', async () => {
    const steady: Step = { kind: 'steady', requests: 400, gapMs: 7, address: undefined };
    const { local, pendingCalls } = await run(2, [steady], limits, [37, -3_600_000]);
    expect(local).toBeGreaterThan(200);
    expect(pendingCalls).toBeGreaterThan(0);
    expect(pendingCalls).toBeLessThan(100);
  });
});

const wide: Limits = { ip: 100, publisher: 1_000_000, global: 1_000_000 };

test('property: of a burst as large as the limit, by any workers, at any speed, all requests are admitted', async () => {
  const anyBurst = fc.array(fc.record({ worker: fc.nat(4), gapMs: fc.constantFrom(0, 0, 0, 0.2, 1, 8) }), {
    minLength: 100,
    maxLength: 100,
  });
  await fc.assert(
    fc.asyncProperty(anyWorkers, anyBurst, async (workers, burst) => {
      const simulation = new LeaseSimulation(wide, workers);
      for (const { worker, gapMs } of burst) {
        await simulation.request(worker, { ip: '203.0.113.1', publisher: undefined });
        await simulation.advance(gapMs);
      }
      await simulation.advance(1_000);
      expect(simulation.rejections).toEqual([]);
    }),
    { numRuns: numRuns(200) },
  );
});

describe('the simulation reaches what it is about', () => {
  const steady: Step = { kind: 'steady', requests: 400, gapMs: 7, address: undefined };

  test('most requests of steady traffic need no call', async () => {
    const { local } = await run(2, [steady]);
    expect(local).toBeGreaterThan(200);
  });

  test('a burst after steady traffic meets tokens that other workers hold, waits for them, and is then decided', async () => {
    const few: Limits = { ...wide, ip: 100 };
    const oneAddress: Step = { kind: 'steady', requests: 100, gapMs: 12, address: 1 };
    const { undecided, rejections, admissions } = await run(
      3,
      [oneAddress, { kind: 'burst', requests: 120, worker: 0, address: 1 }],
      few,
    );
    expect(undecided).toBeGreaterThan(0);
    expect(admissions.filter(({ name }) => name.startsWith('ip')).length + rejections.length).toBe(220);
  });

  test('an overdraft is found', () => {
    const admissions = Array.from({ length: 12 }, () => ({ name: 'ip a', limit: 10, atMicros: 0 }));
    expect(overdraft(admissions)).toBe(2);
    expect(overdraft(admissions, 2)).toBe(-8);
  });
});
