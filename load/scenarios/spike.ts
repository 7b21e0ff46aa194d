/** Spike: do the targets hold while the rate goes up twelvefold within two seconds, and down again? */
import type { Options } from 'k6/options';
import { commonOptions, paceOf, startSeconds, usersFor, warmingUp } from '../lib/pace.ts';
import { summaryOf } from '../lib/summary.ts';
import { thresholds } from '../lib/targets.ts';

const calmSeconds = 5;
const slopeSeconds = 2;
const pace = paceOf({ rate: 240, seconds: 10, moreSeconds: 2 * (calmSeconds + slopeSeconds) });
const calmRate = Math.ceil(pace.rate / 12);

export const options: Options = {
  ...commonOptions,
  scenarios: {
    warm: warmingUp(calmRate),
    spike: {
      executor: 'ramping-arrival-rate',
      exec: 'mixed',
      startTime: `${startSeconds}s`,
      startRate: calmRate,
      timeUnit: '1s',
      stages: [
        { target: calmRate, duration: `${calmSeconds}s` },
        { target: pace.rate, duration: `${slopeSeconds}s` },
        { target: pace.rate, duration: `${pace.seconds}s` },
        { target: calmRate, duration: `${slopeSeconds}s` },
        { target: calmRate, duration: `${calmSeconds}s` },
      ],
      gracefulStop: '3s',
      ...usersFor(pace.rate),
    },
  },
  thresholds: thresholds(pace.rate * (pace.seconds + slopeSeconds)),
};

export { mixed, warmUp } from '../lib/send.ts';
export const handleSummary = summaryOf(pace);
