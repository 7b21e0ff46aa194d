/** The counters for the console are those of the metrics; test traffic is counted apart. */
import { expect, test } from '@jest/globals';
import { createExchangeMetrics } from '../../../src/observe/metrics.ts';
import { Recorder } from '../../../src/observe/recorder.ts';
import { readCounters } from '../../../src/observe/console/worker-counters.ts';

const total = (counts: readonly number[] = []): number => counts.reduce((sum, count) => sum + count, 0);

function createCounters() {
  const metrics = createExchangeMetrics();
  const recorder = new Recorder(metrics);
  recorder.deadlines([
    { name: 'alpha', deadlineMs: 80 },
    { name: 'house', deadlineMs: undefined },
  ]);
  recorder.prime({
    outcomes: ['bid', 'no_bid', 'invalid'],
    scopes: ['ip', 'publisher', 'global'],
    errorCodes: [],
    shedReasons: ['queue_delay'],
    warningCodes: [],
    partners: ['alpha', 'house'],
    partnerResults: ['bid', 'timeout', 'skipped'],
  });
  return { recorder, read: () => readCounters(metrics, recorder, 3.5) };
}

test('requests by outcome, without test traffic', () => {
  const { recorder, read } = createCounters();
  recorder.request('bid', 'live', 7);
  recorder.request('bid', 'live', 120);
  recorder.request('invalid', 'live', 1);
  recorder.request('bid', 'test', 7);
  const { requests, testRequests, lagMs } = read();
  expect([total(requests.bid), total(requests.invalid), total(requests.no_bid)]).toEqual([2, 1, 0]);
  expect([testRequests, lagMs]).toEqual([1, 3.5]);
});

test('rate limits, shedding and queue delay', () => {
  const { recorder, read } = createCounters();
  recorder.limitDecision(true, 'none');
  recorder.limitDecision(false, 'publisher');
  recorder.shed('queue_delay');
  recorder.queueDelay(2);
  const { rateLimited, shed, queueDelay } = read();
  expect(rateLimited).toEqual({ ip: 0, publisher: 1, global: 0 });
  expect(shed).toEqual({ queue_delay: 1 });
  expect(total(queueDelay)).toBe(1);
});

test('partners: results, time without skipped calls, bids, revenue, breaker, deadline', () => {
  const { recorder, read } = createCounters();
  recorder.partner('alpha', 'bid', 12);
  recorder.partner('alpha', 'skipped', 0);
  recorder.bid('alpha', 'won', 2_500_000);
  recorder.bid('alpha', 'won', 1_500_000);
  recorder.bid('alpha', 'lost');
  recorder.bid('alpha', 'below_floor');
  recorder.breaker('alpha', 'open');
  const [alpha, house] = read().partners;
  expect(alpha).toMatchObject({ name: 'alpha', breaker: 'open', deadlineMs: 80, revenueMicros: 4_000 });
  expect(alpha!.results).toMatchObject({ bid: 1, skipped: 1, timeout: 0 });
  expect(total(alpha!.latency)).toBe(1);
  expect(alpha!.bids).toEqual({ won: 2, lost: 1, below_floor: 1 });
  expect(house).toMatchObject({ name: 'house', breaker: 'closed', deadlineMs: null, revenueMicros: 0 });
});
