/** Spike: are the latency targets met while the rate rises twelvefold within two seconds and falls again? */
import type { Options } from 'k6/options';
import {
  commonOptions,
  loadProfile,
  startSeconds,
  summaryWriter,
  thresholds,
  virtualUsers,
  warmUpScenario,
} from '../lib/scenario.ts';

const baseSeconds = 5;
const rampSeconds = 2;
const profile = loadProfile({ rate: 240, seconds: 10, extraSeconds: 2 * (baseSeconds + rampSeconds) });
const baseRate = Math.ceil(profile.rate / 12);

export const options: Options = {
  ...commonOptions,
  scenarios: {
    warm: warmUpScenario(baseRate),
    spike: {
      executor: 'ramping-arrival-rate',
      exec: 'mixedTraffic',
      startTime: `${startSeconds}s`,
      startRate: baseRate,
      timeUnit: '1s',
      stages: [
        { target: baseRate, duration: `${baseSeconds}s` },
        { target: profile.rate, duration: `${rampSeconds}s` },
        { target: profile.rate, duration: `${profile.seconds}s` },
        { target: baseRate, duration: `${rampSeconds}s` },
        { target: baseRate, duration: `${baseSeconds}s` },
      ],
      gracefulStop: '3s',
      ...virtualUsers(profile.rate),
    },
  },
  thresholds: thresholds(profile.rate * (profile.seconds + rampSeconds)),
};

export { mixedTraffic, warmUp } from '../lib/send.ts';
export const handleSummary = summaryWriter(profile);
