/** What the drill concludes from requests, samples and log lines. */
import { describe, expect, test } from '@jest/globals';
import type { Allowance, Outcome, Result, SentRequest } from '../../load/drill/fault.ts';
import {
  durationsBetween,
  findLogLine,
  findMetric,
  judgeRequests,
  missedGoals,
  normalAfter,
  quantile,
  type Sample,
} from '../../load/drill/judge.ts';

const times = { beganAtMs: 1_000, endedAtMs: 4_000 };
const request = (dueAtMs: number, durationMs: number, result: Result = 'succeeded'): SentRequest => ({
  dueAtMs,
  doneAtMs: dueAtMs + durationMs,
  result,
  isFresh: false,
});
const sample = (atMs: number, value: number, series = 'x_total'): Sample => ({
  atMs,
  values: new Map([[series, value]]),
});

describe('failed requests', () => {
  const allowance: Allowance = { why: 'its connections', max: 2, covers: ({ dueAtMs }) => dueAtMs < 2_000 };

  test('only those that the allowance covers are unavoidable, up to its maximum', () => {
    const failed = (dueAtMs: number) => request(dueAtMs, 1_000, 'timedOut');
    const judge = (...dueAtMs: number[]) => judgeRequests(dueAtMs.map(failed), allowance, times);
    expect(judge(1_100, 1_999)).toMatchObject({ failed: 2, avoidable: 0 });
    expect(judge(1_100, 2_000)).toMatchObject({ failed: 2, avoidable: 1 });
    expect(judge(1_100, 1_200, 1_300)).toMatchObject({ failed: 3, avoidable: 1 });
  });

  test('without an allowance each is avoidable', () => {
    const judged = judgeRequests(
      [request(1, 5), request(2, 5, 'status 503'), request(3, 1, 'refused')],
      undefined,
      times,
    );
    expect(judged).toMatchObject({
      sent: 3,
      failed: 2,
      avoidable: 2,
      failures: '1 status 503 (kept), 1 refused (kept)',
    });
  });

  test('the slowest is that of the responses; failures after the end of the fault delay the recovery', () => {
    const requests = [request(900, 30), request(4_500, 1_000, 'timedOut'), request(4_600, 40)];
    expect(judgeRequests(requests, undefined, times)).toMatchObject({ slowestMs: 40, failedForMs: 1_500 });
    expect(judgeRequests([request(1_500, 10, 'closed')], undefined, times)).toMatchObject({ failedForMs: 0 });
  });
});

describe('signs', () => {
  const grows = { series: 'x_total', shows: (value: number, before: number) => value > before };

  test('a metric is compared with its value before the fault', () => {
    expect(findMetric([sample(900, 3), sample(1_200, 3)], grows, times)).toBeUndefined();
    expect(findMetric([sample(900, 3), sample(1_200, 3), sample(1_500, 4)], grows, times)).toEqual({
      text: '`x_total` = 4',
      afterMs: 500,
    });
    expect(findMetric([sample(1_000, 1)], grows, times)).toMatchObject({ afterMs: 0 });
    expect(findMetric([sample(1_500, 9, 'y_total')], grows, times)).toBeUndefined();
  });

  test('a log line counts only if it arrived after the beginning and has the part', () => {
    const line = (atMs: number, mode: string) => ({ atMs, text: `{"mode":"${mode}","msg":"mode changed"}` });
    const sign = { msg: 'mode changed', part: '"mode":"degraded"' };
    expect(findLogLine([line(999, 'degraded'), line(1_100, 'redis')], sign, times)).toBeUndefined();
    expect(findLogLine([line(1_100, 'redis'), line(1_250, 'degraded')], sign, times)).toEqual({
      text: '`mode changed`, `mode:degraded`',
      afterMs: 250,
    });
    expect(findLogLine([{ atMs: 1_001, text: 'gavel ready port=1' }], { msg: 'gavel ready' }, times)).toBeDefined();
  });
});

describe('recovery', () => {
  const isNormal = (values: ReadonlyMap<string, number>) => values.get('x_total') === 1;
  const after = (...samples: Sample[]) => normalAfter(samples, isNormal, times);

  test('ends with the last sample that is not normal', () => {
    expect(after(sample(2_000, 0), sample(4_500, 1), sample(5_000, 0), sample(5_500, 1))).toBe(1_500);
  });
  test('is 0 if all was normal before the cause was gone', () => {
    expect(after(sample(2_000, 0), sample(3_000, 1))).toBe(0);
    expect(after(sample(500, 0), sample(2_000, 1))).toBe(0);
  });
  test('was not seen if the last sample is not normal, or if there is none', () => {
    expect(after(sample(2_000, 1), sample(6_000, 0))).toBe(Infinity);
    expect(after(sample(500, 1))).toBe(Infinity);
  });
});

describe('goals', () => {
  const sign = { text: '`x`', afterMs: 1 };
  const met: Outcome = {
    sent: 10,
    failed: 1,
    failures: '1 closed (kept)',
    avoidable: 0,
    slowestMs: 9,
    recoveryMs: 2_000,
    metric: sign,
    logLine: sign,
    details: [],
    problems: [],
  };
  const missed = (changed: Partial<Outcome>, more = {}) =>
    missedGoals({ maxRecoveryMs: 2_000, ...more }, { ...met, ...changed });

  test('unavoidable failures and a recovery in time meet them', () => {
    expect(missed({})).toEqual([]);
  });
  test.each<[string, Partial<Outcome>, string]>([
    ['no request', { sent: 0 }, 'no request was sent'],
    ['an avoidable failure', { avoidable: 1 }, '1 requests failed'],
    ['a late recovery', { recoveryMs: 2_001 }, 'recovery took 2.0 s'],
    ['no recovery', { recoveryMs: Infinity }, 'no recovery was seen'],
    ['no metric', { metric: undefined }, 'no metric showed it'],
    ['no log line', { logLine: undefined }, 'no log line showed it'],
    ['another expectation', { problems: ['exit code 1, goal 0'] }, 'exit code 1, goal 0'],
  ])('%s misses one', (_, changed, text) => {
    expect(missed(changed)).toEqual([expect.stringContaining(text)]);
  });
  test('a fault that has no metric or log line needs none', () => {
    expect(missed({ metric: undefined }, { withoutMetric: 'the log is enough' })).toEqual([]);
    expect(missed({ logLine: undefined }, { withoutLogLine: 'the metric is enough' })).toEqual([]);
  });
});

test('quantiles of the responses that were due in a time', () => {
  const requests = [request(0, 100), request(10, 7), request(19, 3), request(20, 50), request(15, 9, 'closed')];
  expect(durationsBetween(requests, 10, 20)).toEqual([7, 3]);
  expect(quantile([5, 1, 3, 2, 4], 0.5)).toBe(3);
  expect(quantile([5, 1], 0.99)).toBe(5);
  expect(quantile([], 0.5)).toBe(0);
});
