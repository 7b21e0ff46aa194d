/** The encoding of a decision in one integer loses nothing, up to the highest limit that can be configured. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { kinds, scopeOf } from '../../src/limits/bucket-refs.ts';
import { gcraParams } from '../../src/limits/bucket-state.ts';
import { decodeDecision, encodeDecision, isRejection, isUndecided } from '../../src/limits/buckets.ts';
import { nextTokenInMicros, toResult } from '../../src/limits/gcra.ts';

const maxLimit = 1_000_000;
const anyLimit = fc.oneof(fc.constantFrom(1, 999_999, maxLimit), fc.integer({ min: 1, max: maxLimit }));
const anyDecision = anyLimit.chain((limit) =>
  fc.record({
    limit: fc.constant(limit),
    remaining: fc.integer({ min: 0, max: limit }),
    fullInMicros: fc.integer({ min: 0, max: gcraParams(limit).burstMicros }),
    kind: fc.constantFrom(...kinds),
    admitted: fc.boolean(),
  }),
);

test('decoding a decision returns what was encoded, and the result reports it', () => {
  fc.assert(
    fc.property(anyDecision, ({ limit, remaining, fullInMicros, kind, admitted }) => {
      const refs = kinds.map((kind) => ({ kind, name: kind, limit }));
      const decision = encodeDecision(remaining, kind, admitted, fullInMicros);
      const nowMicros = 1_800_000_000_000_000;
      expect(isRejection(decision)).toBe(!admitted);
      expect(isUndecided(decision)).toBe(false);
      expect(decodeDecision(decision)).toEqual({ admitted, kind, remaining, fullInMicros });
      expect(toResult(decision, nowMicros, refs)).toEqual({
        admitted,
        scope: scopeOf(kind),
        limit,
        remaining,
        resetAtMs: (nowMicros + fullInMicros) / 1000,
      });
      const { burstMicros, emissionIntervalMicros } = gcraParams(limit);
      expect(nextTokenInMicros(decision, limit)).toBe(fullInMicros - burstMicros + emissionIntervalMicros);
    }),
  );
});
