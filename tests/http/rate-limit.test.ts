/** express-rate-limit with our store: each request gets its own result, even among concurrent requests with equal keys. */
import { expect, test } from '@jest/globals';
import type { Request, RequestHandler, Response } from 'express';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Outcome } from '../../src/exchange/outcome.ts';
import { rateLimit, RateLimitStore } from '../../src/http/rate-limit.ts';
import { RequestContext } from '../../src/http/request-context.ts';
import type { RateLimiter, RateLimitKeys, RateLimitResult } from '../../src/limits/rate-limiter.ts';
import { anyKeys } from '../support/rate-limit-keys.ts';

const resultOf = (used: number, admitted: boolean): RateLimitResult => ({
  admitted,
  scope: 'publisher',
  limit: 1_000,
  remaining: admitted ? 1_000 - used : 0,
  resetAtMs: 1_794_700_000_000 + used,
});

function createRequest({ ip, publisher }: RateLimitKeys): Request {
  const context = new RequestContext(randomUUID(), 0, 0, '127.0.0.1');
  context.rateLimitKeys.ip = ip;
  if (publisher !== undefined) context.body = { value: { site: { publisher: { id: publisher } } } } as never;
  return { context, ip, originalUrl: '/openrtb2', headers: {} } as unknown as Request;
}

type End = { next: unknown[] } | { rejected: Outcome };

/** Resolves with how the middleware ended: by `next` or by `onRejected`. */
function run(limiter: RateLimiter): (request: Request) => Promise<End> {
  const ends = new Map<Request, (end: End) => void>();
  const middleware: RequestHandler = rateLimit(limiter, (request, _response, outcome) =>
    ends.get(request)!({ rejected: outcome }),
  );
  return (request) =>
    new Promise((resolve) => {
      ends.set(request, resolve);
      void middleware(request, {} as Response, (...next: unknown[]) => resolve({ next }));
    });
}

/** One concurrent request: its keys, the outcome the limiter gives it, and after how many turns. */
const anyRequest = fc.record({
  keys: anyKeys,
  decision: fc.constantFrom<'admitted' | 'rejected' | 'cached' | 'defect'>('admitted', 'rejected', 'cached', 'defect'),
  delayTurns: fc.integer({ min: 0, max: 3 }),
});

test('concurrent requests with equal and different keys: each has its own result', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRequest, { minLength: 1, maxLength: 40 }), async (plans) => {
      const planOf = new Map<RateLimitKeys, (typeof plans)[number] & { result: RateLimitResult }>();
      const limiter: RateLimiter = {
        cachedRejection: () => undefined,
        decide: async (keys) => {
          const { decision, delayTurns, result } = planOf.get(keys)!;
          expect(decision).not.toBe('cached');
          for (let turn = 0; turn < delayTurns; turn++) await nextTurn();
          if (decision === 'defect') throw new Error(`defect ${result.resetAtMs}`);
          return result;
        },
      };
      const send = run(limiter);
      const requests = plans.map((plan, index) => {
        const request = createRequest(plan.keys);
        const result = resultOf(index + 1, plan.decision === 'admitted');
        planOf.set(request.context.rateLimitKeys, { ...plan, result });
        if (plan.decision === 'cached') request.context.rateLimit = result;
        return { request, plan, result };
      });
      const ends = await Promise.all(requests.map(({ request }) => send(request)));
      for (const [index, { request, plan, result }] of requests.entries()) {
        expectEnd(request, plan.decision, result, ends[index]!);
      }
    }),
  );
});

function expectEnd(request: Request, decision: string, result: RateLimitResult, end: End): void {
  if (decision === 'defect') {
    expect(end).toEqual({ next: [new Error(`defect ${result.resetAtMs}`)] });
    expect(request.context.rateLimit).toBeUndefined();
    expect(request.rateLimit).toBeUndefined();
    return;
  }
  expect(request.context.rateLimit).toBe(result);
  expect(request.rateLimit).toEqual({
    limit: 1_000,
    used: result.admitted ? 1_000 - result.remaining : 1_001,
    remaining: result.remaining,
    resetTime: new Date(result.resetAtMs),
    key: request.context.requestId,
  });
  if (result.admitted) expect(end).toEqual({ next: [] });
  else expect(end).toMatchObject({ rejected: { kind: 'refused', error: { name: 'limit.publisher' } } });
}

test('the store keeps no context after increment, whether it resolves or rejects', async () => {
  const limiter: RateLimiter = {
    cachedRejection: () => undefined,
    decide: ({ ip }) => (ip === 'broken' ? Promise.reject(new Error('a defect')) : Promise.resolve(resultOf(1, true))),
  };
  const store = new RateLimitStore(limiter);
  const keys = ['a', 'a', 'broken', 'b'].map((ip, index) =>
    store.enqueue({ requestId: `r${index}`, rateLimitKeys: { ip, publisher: undefined }, rateLimit: undefined }),
  );
  expect(keys).toEqual(['r0', 'r1', 'r2', 'r3']);
  expect(store.size).toBe(4);
  const settled = await Promise.allSettled(keys.map((key) => store.increment(key)));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(store.size).toBe(0);
  expect(() => store.increment('r0')).toThrow('no request waits under this key');
});

test.each<[string, unknown, string | undefined]>([
  ['site.publisher.id', { site: { publisher: { id: 'p1' } }, app: { publisher: { id: 'p2' } } }, 'p1'],
  [
    'app.publisher.id if the site has none',
    { site: { publisher: { id: '' } }, app: { publisher: { id: 'p2' } } },
    'p2',
  ],
  ['none if the id is not a string', { site: { publisher: { id: 7 } } }, undefined],
  ['none if the body is null', null, undefined],
  ['none if the body is not an object', 'text', undefined],
  ['none if site is null', { site: null }, undefined],
])('the publisher key is %s', async (_name, value, publisher) => {
  const charged: RateLimitKeys[] = [];
  const send = run({
    cachedRejection: () => undefined,
    decide: async (keys) => {
      charged.push({ ...keys });
      return resultOf(1, true);
    },
  });
  const request = createRequest({ ip: '203.0.113.1', publisher: undefined });
  request.context.body = { value } as never;
  expect(await send(request)).toEqual({ next: [] });
  expect(charged).toEqual([{ ip: '203.0.113.1', publisher }]);
});
