/** Limits: does the exchange reject exactly the requests over a rate limit, correctly, and without affecting others? */
import type { Options } from 'k6/options';
import { floodThresholds, limits } from '../lib/flood.ts';
import {
  commonOptions,
  constantRate,
  loadProfile,
  measuredSeconds,
  startSeconds,
  summaryWriter,
  thresholds,
  warmUpScenario,
} from '../lib/scenario.ts';

const floodFactor = 1.5;
const pauseSeconds = 2;
/** The background traffic, whose latency is measured; each flood lasts `seconds`. */
const background = loadProfile({ rate: 30, seconds: 8 });
const profile = { ...background, extraSeconds: background.seconds + 3 * pauseSeconds };

const addressFloodAt = startSeconds;
const publisherFloodAt = addressFloodAt + background.seconds + pauseSeconds;
const recoveryAt = publisherFloodAt + background.seconds + pauseSeconds;

const addressRate = Math.ceil(limits.ip * floodFactor);
const publisherRate = Math.ceil(limits.publisher * floodFactor);
const planned = profile.rate * measuredSeconds(profile) + (addressRate + publisherRate) * profile.seconds;

export const options: Options = {
  ...commonOptions,
  scenarios: {
    warm: warmUpScenario(profile.rate),
    background: constantRate('mixedTraffic', profile.rate, measuredSeconds(profile)),
    address: constantRate('floodAddress', addressRate, profile.seconds, addressFloodAt),
    publisher: constantRate('floodPublisher', publisherRate, profile.seconds, publisherFloodAt),
    recovery: constantRate('sendAfterFlood', 10, pauseSeconds, recoveryAt),
  },
  thresholds: { ...thresholds(planned), ...floodThresholds(profile.seconds) },
};

export { floodAddress, floodPublisher, sendAfterFlood } from '../lib/flood.ts';
export { mixedTraffic, warmUp } from '../lib/send.ts';
export const handleSummary = summaryWriter({ ...profile, rate: profile.rate + Math.max(addressRate, publisherRate) });
