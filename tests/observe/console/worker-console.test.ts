/** A worker sends its auction samples in parts, so that encoding them delays no bid request for long; the primary joins them. */
import { expect, test } from '@jest/globals';
import type { AuctionSample } from '../../../src/contract/console-api.ts';
import { AuctionParts } from '../../../src/fleet/console/auction-parts.ts';
import { createExchangeMetrics } from '../../../src/observe/metrics.ts';
import { Recorder } from '../../../src/observe/recorder.ts';
import { createWorkerConsole, samplesPerReply } from '../../../src/observe/console/worker-console.ts';

const sampleOf = (index: number) => ({ requestId: `r${index}` }) as AuctionSample;

function createWith(samples: number) {
  const metrics = createExchangeMetrics();
  const workerConsole = createWorkerConsole(metrics, new Recorder(metrics), () => 0);
  for (let index = 0; index < samples; index++) workerConsole.samples.add('error', sampleOf(index));
  return workerConsole;
}

function replies(workerConsole: ReturnType<typeof createWith>) {
  return [...workerConsole.replies('auctions')].map((reply) => {
    if (reply.topic !== 'auctions') throw new Error(`got a reply with ${reply.topic}`);
    return reply;
  });
}

test.each([
  [0, [0]],
  [1, [1]],
  [samplesPerReply, [samplesPerReply]],
  [2 * samplesPerReply + 1, [samplesPerReply, samplesPerReply, 1]],
])('%d samples are sent in parts of at most 25', (samples, lengths) => {
  const parts = replies(createWith(samples));
  expect(parts.map(({ value }) => value.length)).toEqual(lengths);
  expect(parts.map(({ partsLeft }) => partsLeft)).toEqual(lengths.map((_, index) => lengths.length - 1 - index));
});

test('while the parts of a reply are sent, no second one starts', () => {
  const workerConsole = createWith(3 * samplesPerReply);
  const first = workerConsole.replies('auctions')[Symbol.iterator]();
  first.next();
  expect(replies(workerConsole)).toEqual([]);
  first.return?.();
  expect(replies(workerConsole)).toHaveLength(3);
});

test('the parts of two workers are joined apart; those of an exited worker are dropped', () => {
  const parts = new AuctionParts();
  expect(parts.add(1, [sampleOf(1)], 1)).toBeUndefined();
  expect(parts.add(2, [sampleOf(2)], 0)).toEqual([sampleOf(2)]);
  expect(parts.add(1, [sampleOf(3)], 0)).toEqual([sampleOf(1), sampleOf(3)]);
  parts.add(1, [sampleOf(4)], 1);
  parts.forget(1);
  expect(parts.add(1, [sampleOf(5)], 0)).toEqual([sampleOf(5)]);
});
