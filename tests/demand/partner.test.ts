/** A partner at work: whether it is asked, how long it is waited for, and what came of it. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { invalidResponse, type UncheckedBid, type RemoteBidder } from '../../src/demand/adapter.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';
import { callOf } from '../auction/fake-call-partner.ts';
import { auctionOf, bidOf } from '../auction/fakes.ts';
import { askPartner as ask, createPartner as create, defect, type PartnerOptions } from '../auction/partner-at-work.ts';

beforeEach(() => void jest.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void jest.useRealTimers());

describe('the time a partner has', () => {
  test.each([
    ['what is left', undefined, 480, 480],
    ['what is left, in whole milliseconds', undefined, 123.9, 123],
    ['its own limit where that is less', 300, 480, 300],
    ['what is left where its own limit is more', 5_000, 480, 480],
  ])('is %s', (_name, timeoutMs, leftMs, tmaxMs) => {
    const { partner, tmaxes } = create({ timeoutMs });
    ask(partner, leftMs);
    expect(tmaxes).toEqual([tmaxMs]);
  });

  test('ends at its own limit: the call is aborted, and it has timed out', () => {
    const { partner, fake } = create({ timeoutMs: 100 });
    const told = ask(partner);
    jest.advanceTimersByTime(99);
    expect(told.results).toEqual([]);
    jest.advanceTimersByTime(1);
    jest.runOnlyPendingTimers(); // what is in a socket already goes first
    expect(told.results).toEqual(['timeout']);
    expect(fake.calls[0]!.aborted).toBe(true);
    told.giveUp!('late');
    expect(told.results).toEqual(['timeout']);
  });

  test('is left to the auction where there is no limit of its own, or a longer one', () => {
    for (const timeoutMs of [undefined, 5_000]) {
      const { partner } = create({ timeoutMs });
      const told = ask(partner);
      jest.advanceTimersByTime(10_000);
      expect(told.results).toEqual([]);
    }
  });

  test('leaves no timer behind once it has answered', () => {
    const { partner, fake } = create({ timeoutMs: 100 });
    ask(partner);
    fake.calls[0]!.answer('no_bid');
    expect(jest.getTimerCount()).toBe(0);
  });

  test.each([-100, 0, 4.9])('is too little with %d ms: it is skipped', (leftMs) => {
    const { partner, fake } = create();
    for (let i = 0; i < 10; i++)
      expect(ask(partner, leftMs)).toMatchObject({ results: ['skipped'], giveUp: undefined });
    expect(fake.calls).toEqual([]);
  });
});

describe('given up', () => {
  test.each(['timeout', 'late'] as const)(
    'as %s: every open call is aborted, and no answer is heard any more',
    (as) => {
      const { partner, fake } = create({ calls: [callOf('/a'), callOf('/b')] });
      const told = ask(partner);
      told.giveUp!(as);
      expect(told.results).toEqual([as]);
      expect(fake.calls.map(({ aborted }) => aborted)).toEqual([true, true]);
      for (const call of fake.calls) call.answer('bid', [bidOf(1)]);
      expect(told).toMatchObject({ offers: [], results: [as] });
    },
  );

  test('after bids on one of its calls it has bid', () => {
    const { partner, fake } = create({ calls: [callOf('/a'), callOf('/b')] });
    const told = ask(partner);
    fake.calls[0]!.answer('bid', [bidOf(1)]);
    told.giveUp!('late');
    expect(told.results).toEqual(['bid']);
    expect(fake.calls[1]!.aborted).toBe(true);
  });

  test('by a waiter that is content with the bids it is being told of', () => {
    const { partner, fake } = create({ calls: [callOf('/a'), callOf('/b')] });
    const results: PartnerResult[] = [];
    const giveUp = partner.ask(auctionOf(0.25), jest.now() + 480, {
      offers: () => giveUp!('late'),
      done: (result) => results.push(result),
    });
    fake.calls[0]!.answer('bid', [bidOf(1)]);
    expect(results).toEqual(['bid']);
    expect(fake.calls[1]!.aborted).toBe(true);
  });
});

describe('what came of it', () => {
  test.each(['no_bid', 'error', 'invalid', 'skipped'] as const)('a call that ends with %s', (ending) => {
    const { partner, fake } = create();
    const told = ask(partner);
    fake.calls[0]!.answer(ending);
    expect(told).toMatchObject({ offers: [], results: [ending] });
  });

  test('an answer with bids, with none, and one that cannot be used', () => {
    const answers: [unknown, PartnerResult][] = [
      [[bidOf(1), bidOf(2)], 'bid'],
      [[], 'no_bid'],
      [invalidResponse, 'invalid'],
    ];
    for (const [answer, result] of answers) {
      const { partner, fake } = create();
      const told = ask(partner);
      fake.calls[0]!.answer('bid', answer);
      expect(told).toMatchObject({ offers: Array.isArray(answer) ? answer : [], results: [result] });
    }
  });

  test('one whose demand is held here bids before ask returns, without any HTTP, however little time is left', () => {
    const bids = [bidOf(1)];
    const { partner, fake } = create({ bidder: { bidLocally: () => bids } });
    expect(ask(partner, 0)).toEqual({ offers: bids, results: ['bid'], giveUp: undefined });
    expect(fake.calls).toEqual([]);
  });

  test('a call that ends at once is told before ask returns', () => {
    const { partner, fake } = create({ timeoutMs: 100 });
    fake.atOnce = ['skipped'];
    expect(ask(partner)).toEqual({ offers: [], results: ['skipped'], giveUp: undefined });
    expect(jest.getTimerCount()).toBe(0);
  });

  test('nothing to ask is no bid', () => {
    const { partner, fake } = create({ calls: [] });
    expect(ask(partner)).toMatchObject({ results: ['no_bid'], giveUp: undefined });
    expect(fake.calls).toEqual([]);
  });
});

describe('several calls', () => {
  const two = () => create({ calls: [callOf('/a'), callOf('/b')] });

  test('are made together, and their bids are told as they come', () => {
    const { partner, fake } = two();
    const told = ask(partner);
    expect(fake.urls).toEqual(['/a', '/b']);
    fake.calls[1]!.answer('bid', [bidOf(2)]);
    expect(told).toMatchObject({ offers: [bidOf(2)], results: [] });
    fake.calls[0]!.answer('bid', [bidOf(1)]);
    expect(told).toMatchObject({ offers: [bidOf(2), bidOf(1)], results: ['bid'] });
  });

  test.each<[PartnerResult, PartnerResult, PartnerResult]>([
    ['no_bid', 'no_bid', 'no_bid'],
    ['no_bid', 'error', 'error'],
    ['error', 'no_bid', 'error'],
    ['invalid', 'no_bid', 'invalid'],
    ['skipped', 'no_bid', 'skipped'],
  ])('that end with %s and %s end with %s', (first, second, result) => {
    const { partner, fake } = two();
    const told = ask(partner);
    fake.calls[0]!.answer(first);
    expect(told.results).toEqual([]);
    fake.calls[1]!.answer(second);
    expect(told.results).toEqual([result]);
  });

  test.each(['no_bid', 'error', 'invalid', 'skipped'] as const)('bids make up for %s, in either order', (other) => {
    for (const bidding of [0, 1]) {
      const { partner, fake } = two();
      const told = ask(partner);
      for (const [index, call] of fake.calls.entries()) {
        if (index === bidding) call.answer('bid', [bidOf(1)]);
        else call.answer(other);
      }
      expect(told).toMatchObject({ offers: [bidOf(1)], results: ['bid'] });
    }
  });
});

describe('a throwing adapter costs its own partner, nobody else', () => {
  const settings: Record<string, PartnerOptions> = {
    'when it makes the calls': { bidder: { toRequests: defect } },
    'when it bids at once': { bidder: { bidLocally: defect } },
    'when it is called': { through: () => defect },
  };
  test.each(Object.entries(settings))('%s', (_when, setting) => {
    const { partner, defects } = create(setting);
    expect(ask(partner)).toMatchObject({ offers: [], results: ['error'] });
    expect(defects).toEqual([new Error('a defect')]);
  });

  test('when it reads an answer', () => {
    const { partner, fake, defects } = create({ bidder: { toBids: defect } });
    const told = ask(partner);
    fake.calls[0]!.answer('bid', {});
    expect(told).toMatchObject({ offers: [], results: ['error'] });
    expect(defects).toEqual([new Error('a defect')]);
  });

  test('and of several answers only the one it throws on', () => {
    const toBids: RemoteBidder['toBids'] = (_call, answer) => (answer as (() => UncheckedBid[]) | undefined)!();
    const { partner, fake } = create({ calls: [callOf('/a'), callOf('/b')], bidder: { toBids } });
    const told = ask(partner);
    fake.calls[0]!.answer('bid', defect);
    fake.calls[1]!.answer('bid', () => [bidOf(1)]);
    expect(told).toMatchObject({ offers: [bidOf(1)], results: ['bid'] });
  });
});
