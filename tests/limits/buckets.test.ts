/** The encoding of a decision in one integer loses nothing, up to the highest limit that can be configured. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bucketKeys, decodeDecision, encodeDecision, isRejection } from '../../src/limits/buckets.ts';
import { gcraParams, nextTokenInMicros, scopeParams, toResult } from '../../src/limits/gcra.ts';
import { scopes } from '../../src/limits/rate-limiter.ts';

const maxLimit = 1_000_000;
const anyLimit = fc.oneof(fc.constantFrom(1, 999_999, maxLimit), fc.integer({ min: 1, max: maxLimit }));
const anyDecision = anyLimit.chain((limit) =>
  fc.record({
    limit: fc.constant(limit),
    remaining: fc.integer({ min: 0, max: limit }),
    fullInMicros: fc.integer({ min: 0, max: gcraParams(limit).burstMicros }),
    scope: fc.constantFrom(...scopes),
    admitted: fc.boolean(),
  }),
);

test('decoding a decision returns what was encoded, and the result reports it', () => {
  fc.assert(
    fc.property(anyDecision, ({ limit, remaining, fullInMicros, scope, admitted }) => {
      const params = scopeParams({ ip: limit, publisher: limit, global: limit });
      const decision = encodeDecision(remaining, scope, admitted, fullInMicros);
      const nowMicros = 1_800_000_000_000_000;
      expect(isRejection(decision)).toBe(!admitted);
      expect(decodeDecision(decision)).toEqual({ admitted, scope, remaining, fullInMicros });
      expect(toResult(decision, nowMicros, params)).toEqual({
        admitted,
        scope,
        limit,
        remaining,
        resetAtMs: (nowMicros + fullInMicros) / 1000,
      });
      const { burstMicros, emissionIntervalMicros } = params[scope];
      expect(nextTokenInMicros(decision, params)).toBe(fullInMicros - burstMicros + emissionIntervalMicros);
    }),
  );
});

test('bucket names: one prefix per scope; a publisher id over 64 characters is hashed', () => {
  const ip = '203.0.113.1';
  expect(bucketKeys({ ip, publisher: 'p'.repeat(64) })).toEqual({
    ip: `i:${ip}`,
    publisher: `p:${'p'.repeat(64)}`,
    global: 'g',
  });
  expect(bucketKeys({ ip, publisher: 'p'.repeat(65) }).publisher).toMatch(/^p:[\w-]{43}$/);
  expect(bucketKeys({ ip, publisher: undefined }).publisher).toBeUndefined();
});
