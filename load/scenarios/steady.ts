/** Steady: do the latency targets hold at a rate that two busy cores can carry, generator and demand included? */
import type { Options } from 'k6/options';
import { commonOptions, paceOf, steadily, warmingUp } from '../lib/pace.ts';
import { summaryOf } from '../lib/summary.ts';
import { thresholds } from '../lib/targets.ts';

const pace = paceOf({ rate: 200, seconds: 30 });

export const options: Options = {
  ...commonOptions,
  scenarios: { warm: warmingUp(pace.rate), steady: steadily('mixed', pace.rate, pace.seconds) },
  thresholds: thresholds(pace.rate * pace.seconds),
};

export { mixed, warmUp } from '../lib/send.ts';
export const handleSummary = summaryOf(pace);
