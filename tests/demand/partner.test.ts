/** Requests for bids: whether the partner is called, its time limit, and the outcome. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { InvalidResponse } from '../../src/demand/adapter.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';
import { auctionOf, bidOf } from '../auction/fakes.ts';
import { createPartner as create, nextTurn, requestBids } from './create-partner.ts';
import { QpsLimiter } from '../../src/demand/qps-limiter.ts';
import { callOf } from './fake-call-partner.ts';

beforeEach(
  () => void jest.useFakeTimers({ now: 1_000_000, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }),
);
afterEach(() => void jest.useRealTimers());

async function advance(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  await nextTurn();
}

test('the calls of an auction are a group; a single one is none', () => {
  const several = create({ calls: [callOf('/a'), callOf('/b')] });
  requestBids(several.partner);
  const [first, second] = several.fake.calls.map(({ call }) => call);
  expect(first!.group).toEqual({ first, counted: new Set() });
  expect(second!.group).toBe(first!.group);
  const single = create();
  requestBids(single.partner);
  expect(single.fake.calls[0]!.call.group).toBeUndefined();
});

describe('the time limit of a partner', () => {
  test.each([
    ['the time left', undefined, 480, 480, 480],
    ['the time left in whole milliseconds', undefined, 123.9, 480, 123],
    ['its own timeout if that is shorter', 300, 480, 480, 300],
    ['the time left if its own timeout is longer', 5_000, 480, 480, 480],
    ['the time left until the soft deadline', undefined, 480, 150, 150],
    ['the time left until the soft deadline in whole milliseconds', undefined, 480, 149.9, 149],
    ['the time left until the hard deadline if that is sooner', undefined, 80, 150, 80],
    ['its own timeout if that is shorter than the soft one', 100, 480, 150, 100],
    ['the soft one if its own timeout is longer', 300, 480, 150, 150],
    ['the time left until the soft deadline if that is 5 ms', undefined, 480, 5, 5],
    ['the time left until the hard deadline if the soft one is nearly over', undefined, 480, 4.9, 480],
    ['the time left until the hard deadline if the soft one is over', 300, 200, -50, 200],
  ])('is %s', (_name, timeoutMs, leftMs, softLeftMs, tmaxMs) => {
    const { partner, tmaxes } = create({ timeoutMs });
    requestBids(partner, leftMs, softLeftMs);
    expect(tmaxes).toEqual([tmaxMs]);
  });

  test.each([
    [0.4, 150],
    [0.5, 149],
    [40, 110],
    [74, 76],
    [75, 75],
    [400, 75],
  ])('is less the network time, at most half of it: a round trip of %d ms leaves %d', (roundTripMs, tmaxMs) => {
    const { partner, tmaxes } = create({ roundTripMs });
    requestBids(partner, 480, 150);
    expect(tmaxes).toEqual([tmaxMs]);
  });

  test('ends with its own timeout, which cancels its calls but not the auction', async () => {
    const { partner, fake } = create({ timeoutMs: 100 });
    const { settled, cancellation } = requestBids(partner);
    await advance(99);
    expect(settled).toEqual([]);
    await advance(1);
    expect(settled).toEqual([{ result: 'timeout', bids: [] }]);
    expect(fake.calls[0]!.cancelledAs).toBe('timeout');
    expect(cancellation.reason).toBeUndefined();
  });

  test.each([undefined, 5_000])('ends with the auction if its own timeout is %s', async (timeoutMs) => {
    const { partner } = create({ timeoutMs });
    const { settled } = requestBids(partner);
    await advance(10_000);
    expect(settled).toEqual([]);
  });

  test('leaves no timer once the partner has responded', async () => {
    const { partner, fake } = create({ timeoutMs: 100 });
    requestBids(partner);
    expect(jest.getTimerCount()).toBe(1);
    fake.calls[0]!.respond('no_bid');
    await nextTurn();
    expect(jest.getTimerCount()).toBe(0);
  });

  test.each([-100, 0, 4.9])('is too short with %d ms: the partner is skipped', (leftMs) => {
    const { partner, fake } = create();
    expect(requestBids(partner, leftMs).settled).toMatchObject([{ result: 'skipped', bids: [] }]);
    expect(fake.calls).toEqual([]);
  });
});

describe('cancellation', () => {
  test.each(['timeout', 'late'] as const)(
    'as %s settles every open call; later responses are ignored',
    async (reason) => {
      for (const timeoutMs of [undefined, 100]) {
        const { partner, fake } = create({ timeoutMs, calls: [callOf('/a'), callOf('/b')] });
        const { settled, cancellation } = requestBids(partner);
        cancellation.cancel(reason);
        for (const call of fake.calls) call.respond('bid', [bidOf(1)]);
        await nextTurn();
        expect(settled).toEqual([
          { result: reason, bids: [] },
          { result: reason, bids: [] },
        ]);
        expect(fake.calls.map(({ cancelledAs }) => cancelledAs)).toEqual([reason, reason]);
        expect(jest.getTimerCount()).toBe(0);
      }
    },
  );
});

describe('the outcome', () => {
  test.each(['no_bid', 'error', 'invalid', 'skipped'] as const)('of a call that ends with %s', async (result) => {
    const { partner, fake } = create();
    const { settled } = requestBids(partner);
    fake.calls[0]!.respond(result);
    await nextTurn();
    expect(settled).toEqual([{ result, bids: [] }]);
  });

  test.each<[string, unknown, PartnerResult]>([
    ['with bids', [bidOf(1), bidOf(2)], 'bid'],
    ['without bids', [], 'no_bid'],
    ['that cannot be used', new InvalidResponse(() => 'It is empty.'), 'invalid'],
  ])('of a response %s', async (_what, body, result) => {
    const { partner, fake } = create();
    const { settled } = requestBids(partner);
    fake.calls[0]!.respond('bid', body);
    await nextTurn();
    expect(settled).toMatchObject([{ result, bids: result === 'bid' ? body : [] }]);
  });

  test('of local demand is available immediately, without HTTP, even if no time is left', () => {
    const bids = [bidOf(1)];
    const { partner, fake } = create({ bidder: { bidLocally: () => bids } });
    expect(requestBids(partner, 0).outcomes).toEqual([{ result: 'bid', bids }]);
    expect(fake.calls).toEqual([]);
  });

  test('of local demand is skipped above its QPS cap', () => {
    const bidder = { bidLocally: () => [bidOf(1)] };
    const { partner } = create({ bidder, localLimiter: new QpsLimiter(2, 1, 0) });
    const results = [1, 2, 3].map(() => requestBids(partner).outcomes);
    expect(results).toMatchObject([[{ result: 'bid' }], [{ result: 'bid' }], [{ result: 'skipped', bids: [] }]]);
  });

  test('without a call to make is no bid', () => {
    const { partner, fake } = create({ calls: [] });
    expect(requestBids(partner).outcomes).toMatchObject([{ result: 'no_bid', bids: [] }]);
    expect(fake.calls).toEqual([]);
  });

  test('of several calls is one per call, and the calls run concurrently', async () => {
    const { partner, fake } = create({ calls: [callOf('/a'), callOf('/b')] });
    const { settled } = requestBids(partner);
    expect(fake.urls).toEqual(['/a', '/b']);
    fake.calls[1]!.respond('bid', [bidOf(2)]);
    await nextTurn();
    expect(settled).toEqual([{ result: 'bid', bids: [bidOf(2)] }]);
    fake.calls[0]!.respond('no_bid');
    await nextTurn();
    expect(settled[1]).toMatchObject({ result: 'no_bid', bids: [] });
  });
});

test('several calls share the size of one response; a single call has it for itself', () => {
  const sizesOf = (paths: string[]) => {
    const { partner, fake } = create({ calls: paths.map(callOf) });
    requestBids(partner);
    return fake.calls.map(({ call }) => call.maxBytes);
  };
  expect(sizesOf(['/a'])).toEqual([undefined]);
  expect(sizesOf(['/a', '/b', '/c', '/d'])).toEqual([262_144, 262_144, 262_144, 262_144]);
});

test('every parameter that the adapter ignored is reported', () => {
  const { partner, ignoredParams } = create({
    calls: [{ ...callOf('/a'), ignoredParams: ['min_price', 'max_price'] }, callOf('/b')],
  });
  requestBids(partner);
  expect(ignoredParams).toEqual(['min_price', 'max_price']);
});

describe('an exception in the adapter is a defect that names adapter, method and partner', () => {
  const cause = new Error('a defect');
  const fail = (): never => {
    throw cause;
  };

  test.each(['toRequests', 'bidLocally'] as const)('in %s', (method) => {
    const { partner } = create({ bidder: { [method]: fail } as never });
    const message = `adapter fake failed in ${method} for partner a`;
    expect(() => requestBids(partner)).toThrow(expect.objectContaining({ message, cause }));
  });

  test('in toBids', async () => {
    const { partner, fake } = create({ bidder: { toBids: fail } });
    const { partner: sound } = create();
    const { cancellation } = requestBids(sound);
    const endsAtMs = jest.now() + 480;
    const outcomes = partner.requestBids(auctionOf(0.25), { hardAtMs: endsAtMs, softAtMs: endsAtMs }, cancellation);
    fake.calls[0]!.respond('bid', {});
    const message = 'adapter fake failed in toBids for partner a';
    await expect(outcomes[0]).rejects.toMatchObject({ message, cause });
  });
});
