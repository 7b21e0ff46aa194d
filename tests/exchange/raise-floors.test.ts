/** The floor in force is the higher of the request's and the publisher's; nothing else of the request changes. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { raiseFloors } from '../../src/exchange/raise-floors.ts';
import { rateOf } from '../../src/money/micros.ts';
import { createRates } from '../../src/money/rates.ts';
import type { BidRequest } from '../../src/openrtb/bid-request.ts';
import { numRuns } from '../support/num-runs.ts';

const rates = createRates({ EUR: 1.0869, JPY: 0.0067 });
const amount = fc.nat({ max: 100_000 }).map((cents) => cents / 100);
const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'CHF');
const anyImp = fc.record(
  { id: fc.string(), bidfloor: amount, bidfloorcur: fc.oneof(currency, fc.constantFrom('eur', '', 7)) },
  { requiredKeys: ['id'] },
);
const dollars = ({ bidfloor = 0, bidfloorcur }: { bidfloor?: number; bidfloorcur?: unknown }): number => {
  const rate = rateOf(bidfloorcur, rates);
  return rate === undefined ? Infinity : bidfloor * rate;
};

test('the higher floor is in force, as it was given, and every change is reported', () => {
  fc.assert(
    fc.property(fc.array(anyImp), fc.record({ amount, currency }), (impressions, floor) => {
      const imp = structuredClone(impressions);
      const raised = raiseFloors({ id: '1', imp } as unknown as BidRequest, floor, rates);
      const own = dollars({ bidfloor: floor.amount, bidfloorcur: floor.currency });
      for (const [index, before] of impressions.entries()) {
        const isRaised = dollars(before) < own;
        const expected = isRaised ? { ...before, bidfloor: floor.amount, bidfloorcur: floor.currency } : before;
        expect(imp[index]).toEqual(expected);
        expect(raised.some(({ field }) => field === `imp[${index}].bidfloor`)).toBe(isRaised);
      }
    }),
    { numRuns: numRuns(500) },
  );
});
