/** Responses are cached for a short time, and equal calls in flight are made once. */
import { describe, expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BidderCall } from '../../src/demand/adapter.ts';
import type { PartnerResponse } from '../../src/demand/call-partner.ts';
import { Cancellation } from '../../src/demand/cancellation.ts';
import { withResponseCache } from '../../src/demand/response-cache.ts';
import { callOf, FakeCallPartner } from './fake-call-partner.ts';
import { collectAll } from '../support/heap.ts';

const body = { products: [] };

function create({ cacheMs = 250, cacheSize = 10 } = {}) {
  const fake = new FakeCallPartner();
  const clock = { nowMs: 1_000 };
  const callPartner = withResponseCache(fake.callPartner, { cacheMs, cacheSize }, () => clock.nowMs);
  /** Makes a call; `response` is set when it has ended. */
  const call = async (to: string | BidderCall) => {
    const cancellation = new Cancellation();
    const made: { response?: PartnerResponse; defect?: unknown } = {};
    callPartner(typeof to === 'string' ? callOf(to) : to, cancellation, false).then(
      (response) => (made.response = response),
      (defect: unknown) => (made.defect = defect),
    );
    await nextTurn();
    return { made, cancel: () => cancellation.cancel('late') };
  };
  const respond = async (index: number, ...[result, with_]: [PartnerResponse['result'], unknown?]) => {
    fake.calls.at(index)!.respond(result, with_);
    await nextTurn();
  };
  /** The body that a call gets without reaching the partner. */
  const cached = async (to: string) => (await call(to)).made.response?.body;
  return { fake, clock, call, cached, respond };
}

describe('a response', () => {
  test('is cached for calls of every trace', async () => {
    const { fake, call, respond } = create();
    await call({ ...callOf('/a'), traceHeaders: { traceparent: 'first' } });
    await respond(0, 'bid', body);
    const { made } = await call({ ...callOf('/a'), traceHeaders: { traceparent: 'second' } });
    expect(made.response?.body).toEqual(body);
    expect(fake.urls).toEqual(['/a']);
  });

  test('is cached until it expires', async () => {
    const { fake, clock, call, cached, respond } = create();
    await call('/a');
    await respond(0, 'bid', body);
    clock.nowMs += 250;
    expect(await cached('/a')).toEqual(body);
    expect(fake.urls).toEqual(['/a']);
    clock.nowMs += 1;
    expect(await cached('/a')).toBeUndefined();
    expect(fake.urls).toEqual(['/a', '/a']);
  });

  test('expires by the time of its arrival, not of its request or use', async () => {
    const { fake, clock, call, cached, respond } = create();
    await call('/a');
    clock.nowMs += 200;
    await respond(0, 'bid', body);
    for (let use = 0; use < 2; use++) {
      clock.nowMs += 124;
      expect(await cached('/a')).toEqual(body);
    }
    clock.nowMs += 3;
    await call('/a');
    expect(fake.urls).toHaveLength(2);
  });

  test('replaces an older one', async () => {
    const { clock, call, cached, respond } = create();
    await call('/a');
    await respond(0, 'bid', 'old');
    clock.nowMs += 300;
    await call('/a');
    await respond(1, 'bid', 'new');
    expect(await cached('/a')).toBe('new');
  });

  test('is not kept in memory once it has expired and another one is cached', async () => {
    const { fake, clock, call, respond } = create();
    const held = await (async () => {
      const products = { products: [] };
      await call('/a');
      await respond(0, 'bid', products);
      return new WeakRef(products);
    })();
    clock.nowMs += 251;
    fake.calls.length = 0;
    await call('/b');
    await respond(0, 'bid', 'another');
    collectAll();
    expect(held.deref()).toBeUndefined();
  });

  test('above 32 KiB is cached if an equal call had a large one within ten seconds', async () => {
    const { fake, clock, call, respond } = create();
    /** Whether the next call gets a response of this size without reaching the partner. */
    const isCached = async (bytes: number) => {
      await call('/a');
      fake.calls.at(-1)!.respondWith({ result: 'bid', body, bytes });
      await nextTurn();
      const { made } = await call('/a');
      if (made.response) return true;
      await respond(-1, 'no_bid');
      return false;
    };
    expect(await isCached(32_768)).toBe(true);
    clock.nowMs += 1_000;
    expect(await isCached(32_769)).toBe(false);
    clock.nowMs += 10_000;
    expect(await isCached(32_769)).toBe(true);
    clock.nowMs += 10_001;
    expect(await isCached(32_769)).toBe(false);
  });

  test.each(['no_bid', 'error', 'invalid', 'skipped', 'timeout'] as const)(
    'with the result %s is not cached',
    async (result) => {
      const { fake, call, respond } = create();
      const { made } = await call('/a');
      await respond(0, result);
      expect(made.response).toEqual({ result });
      await call('/a');
      expect(fake.urls).toHaveLength(2);
    },
  );
});

describe('the cache key is the whole call', () => {
  const base: BidderCall = { method: 'POST', url: '/a', headers: { 'x-key': '1' }, body: 'one', impressions: [] };

  test.each<[string, Partial<BidderCall>]>([
    ['another method', { method: 'GET' }],
    ['another URL', { url: '/a?query=boots' }],
    ['another header', { headers: { 'x-key': '2' } }],
    ['another body', { body: 'two' }],
  ])('%s is another call', async (_what, difference) => {
    const { fake, call, respond } = create();
    await call(base);
    await respond(0, 'bid', body);
    expect((await call({ ...base, ...difference })).made.response).toBeUndefined();
    expect((await call({ ...base })).made.response).toMatchObject({ result: 'bid', body });
    expect(fake.calls).toHaveLength(2);
  });
});

test('a call that may receive more does not join one that may receive less', async () => {
  const { fake, call } = create();
  await call({ ...callOf('/a'), maxBytes: 1_000 });
  await call({ ...callOf('/a'), maxBytes: 2_000 });
  expect(fake.urls).toEqual(['/a', '/a']);
});

describe('the size', () => {
  test('is bounded: the least recently used response makes room', async () => {
    const { fake, call, cached, respond } = create({ cacheSize: 2 });
    for (const url of ['/a', '/b', '/c']) {
      await call(url);
      await respond(-1, 'bid', url);
    }
    expect([await cached('/b'), await cached('/c')]).toEqual(['/b', '/c']);
    expect(await cached('/a')).toBeUndefined();
    expect(fake.urls).toEqual(['/a', '/b', '/c', '/a']);
  });

  test('is bounded in memory: small values of a body count for what they take', async () => {
    const { call, cached, respond } = create({ cacheSize: 1_000 });
    const urls = Array.from({ length: 40 }, (_, index) => `/${index}`);
    for (const url of urls) {
      await call(url);
      await respond(-1, 'bid', [[], ...Array.from({ length: 20_000 }, () => [])]);
    }
    const kept = [];
    for (const url of urls.toReversed()) if (await cached(url)) kept.push(url);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length * 20_000 * 64).toBeLessThanOrEqual(32 * 1024 * 1024);
  });

  test('of a call is bounded too: a longer one is made every time', async () => {
    const { fake, call, respond } = create();
    for (const length of [4_096, 4_097]) {
      const made = { ...callOf('/a'), body: 'x'.repeat(length - 2) };
      await call(made);
      await respond(-1, 'bid', body);
      await call(made);
    }
    expect(fake.calls.map(({ call: { body: sent = '' } }) => sent.length)).toEqual([4_094, 4_095, 4_095]);
  });

  test.each([{ cacheMs: 0 }, { cacheSize: 0 }])('of 0 means no cache and no sharing: %p', async (settings) => {
    const { fake, call, respond } = create(settings);
    await call('/a');
    await call('/a');
    await respond(0, 'bid', body);
    await call('/a');
    expect(fake.urls).toEqual(['/a', '/a', '/a']);
  });
});

describe('equal calls in flight', () => {
  test('are made once, and all get the response', async () => {
    const { fake, call, respond } = create();
    const all = [await call('/a'), await call('/a'), await call('/a')];
    expect(fake.urls).toEqual(['/a']);
    await respond(0, 'bid', body);
    for (const { made } of all) expect(made.response).toMatchObject({ result: 'bid', body });
  });

  test('share a failure too; the next call is made again', async () => {
    const { fake, call, respond } = create();
    const all = [await call('/a'), await call('/a')];
    await respond(0, 'error');
    for (const { made } of all) expect(made.response).toEqual({ result: 'error' });
    await call('/a');
    expect(fake.urls).toHaveLength(2);
  });

  test('share a defect too', async () => {
    const { fake, call } = create();
    const all = [await call('/a'), await call('/a')];
    fake.calls[0]!.fail(new Error('a defect'));
    await nextTurn();
    for (const { made } of all) expect(made.defect).toEqual(new Error('a defect'));
  });

  test('go on while one auction waits; the auction that cancelled gets its reason', async () => {
    const { fake, call, respond } = create();
    const [first, second] = [await call('/a'), await call('/a')];
    first.cancel();
    first.cancel();
    expect(fake.calls[0]!.cancelledAs).toBeUndefined();
    await respond(0, 'bid', body);
    expect(first.made.response).toEqual({ result: 'late' });
    expect(second.made.response).toMatchObject({ result: 'bid', body });
  });

  test('are cancelled when no auction waits any more, and then not joined', async () => {
    const { fake, call, respond } = create();
    const [first, second] = [await call('/a'), await call('/a')];
    second.cancel();
    first.cancel();
    expect(fake.calls[0]!.cancelledAs).toBe('late');
    const next = await call('/a');
    expect(fake.urls).toHaveLength(2);
    await respond(1, 'bid', body);
    expect(next.made.response).toMatchObject({ body });
  });

  test('that have ended are not cancelled by an auction that ends later', async () => {
    const { fake, call, respond } = create();
    const first = await call('/a');
    await respond(0, 'error');
    await call('/a');
    first.cancel();
    expect(fake.calls[1]!.cancelledAs).toBeUndefined();
  });

  test('that end immediately are not joined', async () => {
    const { fake, call } = create();
    fake.immediately = { result: 'skipped' };
    for (let i = 0; i < 2; i++) expect((await call('/a')).made.response).toEqual({ result: 'skipped' });
    expect(fake.calls).toHaveLength(2);
  });
});
