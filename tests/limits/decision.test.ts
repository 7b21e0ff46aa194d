/** A decision in one integer holds all that a verdict tells, up to the highest limit that can be set. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isRefusal, refusedForMicros, toDecision, toVerdict } from '../../src/limits/decision.ts';
import { scopes } from '../../src/limits/rate-limiter.ts';
import { scopeParams } from '../../src/limits/gcra-params.ts';

const highest = 1_000_000;
const anyLimit = fc.oneof(fc.constantFrom(1, 999_999, highest), fc.integer({ min: 1, max: highest }));
const anyCase = anyLimit.chain((limit) => {
  const { capacityMicros } = scopeParams({ ip: limit, publisher: limit, global: limit }).ip;
  return fc.record({
    limit: fc.constant(limit),
    remaining: fc.integer({ min: 0, max: limit }),
    fullInMicros: fc.integer({ min: 0, max: capacityMicros }),
    scope: fc.constantFrom(...scopes),
    admitted: fc.boolean(),
  });
});

test('what goes into a decision comes out in its verdict', () => {
  fc.assert(
    fc.property(anyCase, ({ limit, remaining, fullInMicros, scope, admitted }) => {
      const paces = scopeParams({ ip: limit, publisher: limit, global: limit });
      const decision = toDecision(remaining, scope, admitted, fullInMicros);
      const nowMicros = 1_800_000_000_000_000;
      expect(isRefusal(decision)).toBe(!admitted);
      expect(toVerdict(decision, nowMicros, paces)).toEqual({
        admitted,
        scope,
        limit,
        remaining,
        resetAtMs: (nowMicros + fullInMicros) / 1000,
      });
      const { capacityMicros, intervalMicros } = paces[scope];
      expect(refusedForMicros(decision, paces)).toBe(fullInMicros - capacityMicros + intervalMicros);
    }),
  );
});
