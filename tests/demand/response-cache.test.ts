/** Answers kept for a short while, and equal calls under way made once. */
import { describe, expect, test } from '@jest/globals';
import { withCache } from '../../src/demand/response-cache.ts';
import { callOf, FakeAsk } from '../auction/fake-call-partner.ts';

const body = { products: [] };

function create({ cacheMs = 250, cacheSize = 10 } = {}) {
  const fake = new FakeAsk();
  const clock = { nowMs: 1_000 };
  const ask = withCache(fake.ask, { cacheMs, cacheSize }, () => clock.nowMs);
  /** Asks; the endings told so far, and how to abort. */
  const asking = (url: string) => {
    const told: unknown[][] = [];
    return {
      told,
      abort: ask(callOf(url), (ending, body) => told.push(body === undefined ? [ending] : [ending, body]), false),
    };
  };
  return { fake, clock, ask, asking };
}

describe('answers', () => {
  test('are kept for their time, not longer', () => {
    const { fake, clock, asking } = create();
    asking('/a');
    fake.calls[0]!.answer('bid', body);
    clock.nowMs += 249;
    expect(asking('/a').told).toEqual([['bid', body]]);
    expect(fake.urls).toEqual(['/a']);
    clock.nowMs += 1;
    expect(asking('/a').told).toEqual([]);
    expect(fake.urls).toEqual(['/a', '/a']);
  });

  test('count from when they came, not from when they were asked for or used', () => {
    const { fake, clock, asking } = create();
    asking('/a');
    clock.nowMs += 200;
    fake.calls[0]!.answer('bid', body);
    for (let use = 0; use < 2; use++) {
      clock.nowMs += 124;
      expect(asking('/a').told).toEqual([['bid', body]]);
    }
    clock.nowMs += 2;
    asking('/a');
    expect(fake.urls).toHaveLength(2);
  });

  test('are those to the same call alone', () => {
    const { fake, asking } = create();
    asking('/a?query=shoes');
    fake.calls[0]!.answer('bid', body);
    expect(asking('/a?query=boots').told).toEqual([]);
    expect(fake.urls).toEqual(['/a?query=shoes', '/a?query=boots']);
  });

  test('a newer one takes the place of an older one', () => {
    const { fake, clock, asking } = create();
    asking('/a');
    fake.calls[0]!.answer('bid', 'old');
    clock.nowMs += 300;
    asking('/a');
    fake.calls[1]!.answer('bid', 'new');
    expect(asking('/a').told).toEqual([['bid', 'new']]);
  });
});

describe('what is kept', () => {
  test.each(['no_bid', 'error', 'invalid', 'skipped', 'timeout'] as const)('is not an ending with %s', (ending) => {
    const { fake, asking } = create();
    const first = asking('/a');
    fake.calls[0]!.answer(ending);
    expect(first.told).toEqual([[ending, undefined]]);
    expect(asking('/a').told).toEqual([]);
    expect(fake.urls).toHaveLength(2);
  });

  test('stays kept, whoever gives up', () => {
    const { fake, asking } = create();
    asking('/a');
    fake.calls[0]!.answer('bid', body);
    const { told, abort } = asking('/a');
    abort();
    expect(told).toHaveLength(1);
    expect(asking('/a').told).toEqual([['bid', body]]);
  });
});

describe('the bound', () => {
  test('holds: the oldest answer makes room', () => {
    const { fake, asking } = create({ cacheSize: 2 });
    for (const url of ['/a', '/b', '/c']) {
      asking(url);
      fake.calls.at(-1)!.answer('bid', url);
    }
    expect([asking('/b').told, asking('/c').told]).toEqual([[['bid', '/b']], [['bid', '/c']]]);
    expect(asking('/a').told).toEqual([]);
    expect(fake.urls).toEqual(['/a', '/b', '/c', '/a']);
  });

  test('an answer renewed costs no other its place', () => {
    const { fake, clock, asking } = create({ cacheSize: 2 });
    asking('/a');
    fake.calls.at(-1)!.answer('bid', body);
    clock.nowMs += 200;
    asking('/b');
    fake.calls.at(-1)!.answer('bid', body);
    clock.nowMs += 100;
    asking('/a');
    fake.calls.at(-1)!.answer('bid', body);
    expect([asking('/a').told, asking('/b').told]).toEqual([[['bid', body]], [['bid', body]]]);
    expect(fake.calls).toHaveLength(3);
  });

  test.each([{ cacheMs: 0 }, { cacheSize: 0 }])('of 0 means no cache and no sharing: %p', (settings) => {
    const { fake, asking } = create(settings);
    asking('/a');
    asking('/a');
    fake.calls[0]!.answer('bid', body);
    asking('/a');
    expect(fake.urls).toEqual(['/a', '/a', '/a']);
  });
});

describe('equal calls under way', () => {
  test('are made once, and all are told', () => {
    const { fake, asking } = create();
    const all = [asking('/a'), asking('/a'), asking('/a')];
    expect(fake.urls).toEqual(['/a']);
    fake.calls[0]!.answer('bid', body);
    expect(all.map(({ told }) => told)).toEqual([[['bid', body]], [['bid', body]], [['bid', body]]]);
  });

  test('share a failure too, and the next one is asked anew', () => {
    const { fake, asking } = create();
    const all = [asking('/a'), asking('/a')];
    fake.calls[0]!.answer('error');
    expect(all.map(({ told }) => told)).toEqual([[['error', undefined]], [['error', undefined]]]);
    asking('/a');
    expect(fake.urls).toHaveLength(2);
  });

  test('go on while somebody waits: who gives up is not told any more', () => {
    const { fake, asking } = create();
    const [first, second] = [asking('/a'), asking('/a')];
    first.abort();
    first.abort();
    expect(fake.calls[0]!.aborted).toBe(false);
    fake.calls[0]!.answer('bid', body);
    expect([first.told, second.told]).toEqual([[], [['bid', body]]]);
  });

  test('are aborted when nobody waits, and nobody is told', () => {
    const { fake, asking } = create();
    const [first, second] = [asking('/a'), asking('/a')];
    second.abort();
    first.abort();
    expect(fake.calls[0]!.aborted).toBe(true);
    expect([...first.told, ...second.told]).toEqual([]);
  });

  test('that were aborted are not joined any more', () => {
    const { fake, asking } = create();
    asking('/a').abort();
    const next = asking('/a');
    expect(fake.urls).toHaveLength(2);
    fake.calls[1]!.answer('bid', body);
    expect(next.told).toEqual([['bid', body]]);
  });
});

describe('calls that have ended', () => {
  test('are over for those who give up afterwards: the next call is not aborted by them', () => {
    const { fake, asking } = create();
    const first = asking('/a');
    fake.calls[0]!.answer('error');
    asking('/a');
    first.abort();
    expect(fake.calls[1]!.aborted).toBe(false);
  });

  test('before asking returned are told at once, each for itself', () => {
    const { fake, asking } = create();
    fake.atOnce = ['skipped'];
    expect(asking('/a').told).toEqual([['skipped', undefined]]);
    expect(asking('/a').told).toEqual([['skipped', undefined]]);
    fake.atOnce = ['bid', body];
    expect(asking('/a').told).toEqual([['bid', body]]);
    expect(fake.calls).toHaveLength(3);
    expect(asking('/a').told).toEqual([['bid', body]]);
    expect(fake.calls).toHaveLength(3);
  });

  test('are not joined: who asks again when told makes a new one', () => {
    const { fake, ask } = create();
    const told: string[] = [];
    const tell = (ending: string) => {
      told.push(ending);
      if (told.length === 1) ask(callOf('/a'), (again) => told.push(again), false);
    };
    ask(callOf('/a'), tell, false);
    fake.calls[0]!.answer('error');
    fake.calls[1]!.answer('no_bid');
    expect(told).toEqual(['error', 'no_bid']);
  });
});
