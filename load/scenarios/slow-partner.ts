/** Slow partner: with demand that answers around the soft budget, does p99 hold, and does everybody still get a bid? */
import type { Options } from 'k6/options';
import { commonOptions, paceOf, steadily, warmingUp } from '../lib/pace.ts';
import { summaryOf } from '../lib/summary.ts';
import { slowLatencyTargets, thresholds } from '../lib/targets.ts';

const pace = paceOf({ rate: 100, seconds: 20 });

export const options: Options = {
  ...commonOptions,
  scenarios: { warm: warmingUp(pace.rate), slow: steadily('mixed', pace.rate, pace.seconds) },
  thresholds: thresholds(pace.rate * pace.seconds, slowLatencyTargets),
};

export { mixed, warmUp } from '../lib/send.ts';
export const handleSummary = summaryOf(pace);
