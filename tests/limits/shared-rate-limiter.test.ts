/** The limiter of a worker: batches, what it remembers, and its share while the shared buckets are out of reach. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GcraEngine } from '../../src/limits/gcra-engine.ts';
import type { BatchDecision, Buckets } from '../../src/limits/buckets.ts';
import type { RateLimitKeys, Limits } from '../../src/limits/rate-limiter.ts';
import { type LimitMode, perWorkerLimits, SharedRateLimiter } from '../../src/limits/shared-rate-limiter.ts';
import { ask, askAtOnce } from '../support/ask-limiter.ts';

const limits: Limits = { ip: 4, publisher: 100, global: 1_000 };
const claimOf = (ip: string): RateLimitKeys => ({ ip, publisher: undefined });
const claim = claimOf('203.0.113.1');

/** Buckets in this process that answer when told to, with a clock that stands still until moved. */
class FakeBuckets implements Buckets {
  readonly engine = new GcraEngine(limits);
  readonly batches: (readonly RateLimitKeys[])[] = [];
  nowMs = 1_794_700_000_000;
  down = false;
  onDecided: () => void = () => {};
  #held: (() => void)[] | undefined;

  /** From now on calls wait until they are let go. */
  hold(): void {
    this.#held = [];
  }

  letGo(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const go of held) go();
  }

  async probe(): Promise<void> {
    if (this.down) throw new Error('out of reach');
  }

  async decideAll(claims: readonly RateLimitKeys[]): Promise<BatchDecision> {
    this.batches.push(claims);
    if (this.#held) await new Promise<void>((resolve) => this.#held!.push(resolve));
    if (this.down) throw new Error('out of reach');
    const nowMicros = this.nowMs * 1000;
    const decisions = claims.map((one) => this.engine.decide(one, nowMicros));
    this.onDecided();
    return { nowMicros, decisions };
  }
}

let open: SharedRateLimiter | undefined;
afterEach(() => {
  open?.close();
  jest.useRealTimers();
});

function create(workers = 2): { limiter: SharedRateLimiter; buckets: FakeBuckets; modes: LimitMode[] } {
  const buckets = new FakeBuckets();
  const modes: LimitMode[] = [];
  const clocks = { nowMs: () => buckets.nowMs, nowMicros: () => buckets.nowMs * 1000 };
  open = new SharedRateLimiter({
    buckets,
    mode: 'redis',
    limits,
    workers,
    clocks,
    onMode: (mode) => modes.push(mode),
    onCall: () => {},
  });
  return { limiter: open, buckets, modes };
}

describe('batches', () => {
  test('what arrives in one turn of the event loop goes in one call', async () => {
    const { limiter, buckets } = create();
    await Promise.all([ask(limiter, claim), ask(limiter, claim), ask(limiter, claim)]);
    expect(buckets.batches.map((batch) => batch.length)).toEqual([3]);
  });

  test('one call is under way at a time; what arrives meanwhile joins the next', async () => {
    const { limiter, buckets } = create();
    buckets.hold();
    const first = ask(limiter, claimOf('a'));
    await nextTurn();
    const later = [ask(limiter, claimOf('b')), ask(limiter, claimOf('c'))];
    await nextTurn();
    expect(buckets.batches).toHaveLength(1);
    buckets.letGo();
    await Promise.all([first, ...later]);
    expect(buckets.batches.map((batch) => batch.map(({ ip }) => ip))).toEqual([['a'], ['b', 'c']]);
  });

  test('a call carries 63 claims at the most', async () => {
    const { limiter, buckets } = create();
    await Promise.all(Array.from({ length: 150 }, async (_, i) => ask(limiter, claimOf(String(i)))));
    expect(buckets.batches.map((batch) => batch.length)).toEqual([63, 63, 24]);
  });

  test('each claim gets its own verdict', async () => {
    const { limiter } = create();
    const verdicts = await Promise.all(Array.from({ length: 6 }, async () => ask(limiter, claim)));
    expect(verdicts.map(({ admitted, remaining }) => [admitted, remaining])).toEqual([
      [true, 3],
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ]);
  });
});

describe('refusals', () => {
  async function emptied() {
    const parts = create();
    await Promise.all(Array.from({ length: 5 }, async () => ask(parts.limiter, claim)));
    parts.buckets.batches.length = 0;
    return parts;
  }

  test('are remembered: the buckets are not asked again', async () => {
    const { limiter, buckets } = await emptied();
    expect(limiter.cachedRejection(claim)).toMatchObject({ admitted: false, scope: 'ip', remaining: 0 });
    expect(askAtOnce(limiter, claim)).toMatchObject({ admitted: false });
    expect(buckets.batches).toEqual([]);
  });

  test('are forgotten at the moment a token is back, not later', async () => {
    const { limiter, buckets } = await emptied();
    buckets.nowMs += 249;
    expect(limiter.cachedRejection(claim)).toBeDefined();
    buckets.nowMs += 1;
    expect(limiter.cachedRejection(claim)).toBeUndefined();
    expect(await ask(limiter, claim)).toMatchObject({ admitted: true });
  });

  test('count from when the question was sent: a slow answer is not believed for longer', async () => {
    const { limiter, buckets } = create();
    await Promise.all(Array.from({ length: 4 }, async () => ask(limiter, claim)));
    const sentAt = buckets.nowMs;
    buckets.onDecided = () => {
      buckets.nowMs = sentAt + 200; // the way back takes 200 of the 250 ms until the next token
    };
    expect(await ask(limiter, claim)).toMatchObject({ admitted: false });
    expect(limiter.cachedRejection(claim)).toBeDefined();
    buckets.nowMs = sentAt + 250;
    expect(limiter.cachedRejection(claim)).toBeUndefined();
  });

  test('of one client are not those of another', async () => {
    const { limiter } = await emptied();
    expect(limiter.cachedRejection(claimOf('203.0.113.2'))).toBeUndefined();
  });
});

describe('while the shared buckets are out of reach', () => {
  async function outOfReach(workers = 2) {
    const parts = create(workers);
    parts.buckets.down = true;
    return { ...parts, first: await ask(parts.limiter, claim) };
  }

  test('the worker enforces its share of each limit', async () => {
    const { limiter, first } = await outOfReach(2);
    expect(first).toMatchObject({ admitted: true, limit: 2, remaining: 1 });
    expect(askAtOnce(limiter, claim)).toMatchObject({ admitted: true, remaining: 0 });
    expect(askAtOnce(limiter, claim)).toMatchObject({ admitted: false, scope: 'ip', limit: 2 });
  });

  test('all that wait are decided at once, however many', async () => {
    const { limiter, buckets } = create();
    buckets.hold();
    const first = ask(limiter, claimOf('first'));
    await nextTurn();
    const waiting = Array.from({ length: 200 }, async (_, i) => ask(limiter, claimOf(String(i))));
    buckets.down = true;
    buckets.letGo();
    expect((await Promise.all([first, ...waiting])).every(({ admitted }) => admitted)).toBe(true);
    expect(buckets.batches.map((batch) => batch.length)).toEqual([1]);
  });

  test('a refusal by the share is not held against a client once they are back', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    const { limiter, buckets } = await outOfReach(4);
    expect(askAtOnce(limiter, claim)).toMatchObject({ admitted: false, limit: 1 });
    buckets.down = false;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await ask(limiter, claim)).toMatchObject({ admitted: true, limit: 4 });
  });

  test('it is noticed without traffic too', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    const { buckets, modes } = create();
    buckets.down = true;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(modes).toEqual(['degraded']);
  });

  test('it asks them no more, and says so once', async () => {
    const { limiter, buckets, modes } = await outOfReach();
    buckets.batches.length = 0;
    for (let i = 0; i < 10; i++) void ask(limiter, claimOf(String(i)));
    await nextTurn();
    expect(buckets.batches).toEqual([]);
    expect(modes).toEqual(['degraded']);
  });

  test('shares follow the number of workers on all machines', async () => {
    const { limiter } = await outOfReach(2);
    limiter.setWorkers(4);
    expect(askAtOnce(limiter, claimOf('203.0.113.9'))).toMatchObject({ limit: 1 });
  });

  test('a trial call brings them back', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    const { limiter, buckets, modes } = await outOfReach();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(modes).toEqual(['degraded']);
    buckets.down = false;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(modes).toEqual(['degraded', 'redis']);
    expect(await ask(limiter, claimOf('203.0.113.9'))).toMatchObject({ limit: 4, remaining: 3 });
  });
});

test('the shares of all workers never add up to more than the limit, while there are tokens enough', () => {
  for (const workers of [1, 2, 3, 7, 16]) {
    const share = perWorkerLimits({ ip: 100, publisher: 1_000, global: 10_000 }, workers);
    expect(share.ip * workers).toBeLessThanOrEqual(100);
    expect(share.publisher * workers).toBeLessThanOrEqual(1_000);
    expect(share.global * workers).toBeLessThanOrEqual(10_000);
  }
  expect(perWorkerLimits({ ip: 3, publisher: 3, global: 3 }, 8)).toEqual({ ip: 1, publisher: 1, global: 1 });
});
