/** Limits: who exceeds a limit is refused in the right form, by the right number, and nobody else notices. */
import type { Options } from 'k6/options';
import { floodThresholds, limits } from '../lib/flood.ts';
import { commonOptions, measuredSeconds, paceOf, startSeconds, steadily, warmingUp } from '../lib/pace.ts';
import { summaryOf } from '../lib/summary.ts';
import { thresholds } from '../lib/targets.ts';

const excess = 1.5;
const pauseSeconds = 2;
/** The others, who are measured; each flood lasts `seconds`. */
const own = paceOf({ rate: 30, seconds: 8 });
const pace = { ...own, moreSeconds: own.seconds + 3 * pauseSeconds };

const addressFloodAt = startSeconds;
const publisherFloodAt = addressFloodAt + own.seconds + pauseSeconds;
const quietAt = publisherFloodAt + own.seconds + pauseSeconds;

const addressRate = Math.ceil(limits.ip * excess);
const publisherRate = Math.ceil(limits.publisher * excess);
const planned = pace.rate * measuredSeconds(pace) + (addressRate + publisherRate) * pace.seconds;

export const options: Options = {
  ...commonOptions,
  scenarios: {
    warm: warmingUp(pace.rate),
    others: steadily('mixed', pace.rate, measuredSeconds(pace)),
    address: steadily('floodAddress', addressRate, pace.seconds, addressFloodAt),
    publisher: steadily('floodPublisher', publisherRate, pace.seconds, publisherFloodAt),
    quiet: steadily('sendAfterFlood', 10, pauseSeconds, quietAt),
  },
  thresholds: { ...thresholds(planned), ...floodThresholds(pace.seconds) },
};

export { floodAddress, floodPublisher, sendAfterFlood } from '../lib/flood.ts';
export { mixed, warmUp } from '../lib/send.ts';
export const handleSummary = summaryOf({ ...pace, rate: pace.rate + Math.max(addressRate, publisherRate) });
