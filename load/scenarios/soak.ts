/** Soak: does anything wear out in ten minutes? Memory is in the results. */
import type { Options } from 'k6/options';
import { commonOptions, paceOf, steadily, warmingUp } from '../lib/pace.ts';
import { summaryOf } from '../lib/summary.ts';
import { thresholds } from '../lib/targets.ts';

const pace = paceOf({ rate: 100, seconds: 600 });

export const options: Options = {
  ...commonOptions,
  scenarios: { warm: warmingUp(pace.rate), soak: steadily('mixed', pace.rate, pace.seconds) },
  thresholds: thresholds(pace.rate * pace.seconds),
};

export { mixed, warmUp } from '../lib/send.ts';
export const handleSummary = summaryOf(pace);
