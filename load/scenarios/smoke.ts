/** Smoke: does everything answer as it should, at a rate that any machine keeps up with? */
import type { Options } from 'k6/options';
import { commonOptions, paceOf, steadily, warmingUp } from '../lib/pace.ts';
import { summaryOf } from '../lib/summary.ts';
import { thresholds } from '../lib/targets.ts';

const pace = paceOf({ rate: 50, seconds: 10 });

export const options: Options = {
  ...commonOptions,
  scenarios: { warm: warmingUp(pace.rate), smoke: steadily('mixed', pace.rate, pace.seconds) },
  thresholds: thresholds(pace.rate * pace.seconds),
};

export { mixed, warmUp } from '../lib/send.ts';
export const handleSummary = summaryOf(pace);
