/** A worker that was overloaded while its machine was slow, in virtual time: what it was able to serve then is no measure for later. */
import { expect, test } from '@jest/globals';
import { capacityOf, changingSpeed, timesSlower } from '../support/simulated-costs.ts';
import { type Clients, type Load, SimulatedWorker } from '../support/simulated-worker.ts';

const usualSpeed = 0.5;
const kept: Clients = { timeoutMs: 1_000, isFresh: false };
const fresh: Clients = { timeoutMs: 1_000, isFresh: true, connections: 500 };

test.each<[string, number, number, number, Clients]>([
  ['kept connections', 1.5, 100, 0.6, kept],
  ['kept connections', 3, 60, 0.5, kept],
  ['kept connections', 3, 100, 0.6, kept],
  ['a connection per request', 1.5, 100, 0.5, fresh],
  ['a connection per request', 3, 60, 0.6, fresh],
  ['a connection per request', 6, 60, 0.5, fresh],
])(
  'with %s, after a time %f times as slow, bursts %i ms apart of %f times the peak are served',
  (_, slow, apartMs, load, clients) => {
    const peak = capacityOf(timesSlower(usualSpeed), clients.isFresh);
    const slowPeak = capacityOf(timesSlower(slow), clients.isFresh);
    const bursts = Array.from({ length: Math.floor(19_500 / apartMs) }, (_burst, index): Load[] => [
      { fromMs: 500 + index * apartMs, perMs: load * peak * 4 },
      { fromMs: 500 + index * apartMs + apartMs / 4, perMs: 0.0001 },
    ]).flat();
    const model = changingSpeed(slow, usualSpeed, slowPeak * 4_800);
    const requests = new SimulatedWorker(model, clients).run([{ fromMs: 0, perMs: 0.5 * slowPeak }, ...bursts], 20_000);
    const later = requests.filter(({ dueMs }) => dueMs > 15_000);
    expect(requests.some(({ result }) => result !== 'served')).toBe(true);
    expect(later.filter(({ result }) => result !== 'served')).toEqual([]);
  },
);
