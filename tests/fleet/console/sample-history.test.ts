/** The history covers 15 minutes within a bound: with many partners, old samples lose their partners, not their totals. */
import { expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import type { History, LiveSample } from '../../../src/contract/console-api.ts';
import { SampleHistory } from '../../../src/fleet/console/sample-history.ts';

const sample = (timeMs: number, partners = 0): LiveSample =>
  ({ timeMs, partners: Array.from({ length: partners }, () => ({ name: 'x'.repeat(100) })) }) as unknown as LiveSample;

async function read(history: SampleHistory): Promise<History> {
  const { body } = await history.asset.respond({ headers: {} } as IncomingMessage);
  return JSON.parse((body as Buffer).toString()) as History;
}

test('has the targets and no sample at first', async () => {
  expect(await read(new SampleHistory())).toEqual({ targetsMs: { p50: 50, p95: 100, p99: 200 }, samples: [] });
});

test('keeps the last 900 samples', async () => {
  const history = new SampleHistory();
  for (let second = 1; second <= 1_000; second++) history.add(sample(second));
  const { samples } = await read(history);
  expect([samples.length, samples[0]!.timeMs, samples.at(-1)!.timeMs]).toEqual([900, 101, 1_000]);
});

test('beyond its size the oldest samples lose their partners', async () => {
  const history = new SampleHistory({ samples: 50, characters: 10_000 });
  for (let second = 1; second <= 120; second++) history.add(sample(second, 5));
  const { samples } = await read(history);
  expect(samples.map(({ timeMs }) => timeMs)).toEqual(Array.from({ length: 50 }, (_, index) => 71 + index));
  expect(JSON.stringify(samples).length).toBeLessThanOrEqual(10_000 + 100);
  const numbers = samples.map(({ partners }) => partners.length);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect([numbers[0], numbers.at(-1)]).toEqual([0, 5]);
});

test('one response is encoded once until the next sample', () => {
  const history = new SampleHistory();
  history.add(sample(1));
  const { asset } = history;
  expect(history.asset).toBe(asset);
  history.add(sample(2));
  expect(history.asset).not.toBe(asset);
});
