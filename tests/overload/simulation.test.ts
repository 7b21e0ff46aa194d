/** Loads above the peak in virtual time: goodput, latency and recovery, for the rules of admission control and no machine's noise. */
import { describe, expect, test } from '@jest/globals';
import { capacityOf, timesSlower } from '../support/simulated-costs.ts';
import { type Clients, type Load, SimulatedWorker, type SimulatedRequest } from '../support/simulated-worker.ts';

const loadAtMs = 2_600;
const loadMs = 5_000;
const afterMs = 4_000;

/** What `make overload` does with a worker that has been busy before. `loadsOf` returns the loads of the time that is measured, by the peak. */
function simulate(factor: number, clients: Clients, loadsOf: (peak: number) => Load[], limiterMs?: number) {
  const model = timesSlower(factor);
  const peak = capacityOf(model, clients.isFresh);
  const loads = [
    { fromMs: 100, perMs: 1.1 * peak },
    { fromMs: 1_100, perMs: 0.01 },
    ...loadsOf(peak),
    { fromMs: loadAtMs + loadMs, perMs: 0.8 * peak },
  ];
  const requests = new SimulatedWorker(model, clients, limiterMs).run(loads, loadAtMs + loadMs + afterMs);
  const within = (fromMs: number, ms: number) => requests.filter(({ dueMs }) => dueMs >= fromMs && dueMs < fromMs + ms);
  const latencies = served(within(loadAtMs, loadMs)).map(({ latencyMs }) => latencyMs);
  return {
    goodput: latencies.length / loadMs / peak,
    p99Ms: latencies.sort((a, b) => a - b)[Math.floor(0.99 * latencies.length)],
    /** The share that is served at 0.8 times the peak, from half a second after the load on. */
    servedAfterwards: shareServed(within(loadAtMs + loadMs + 500, afterMs)),
  };
}

const overload = (factor: number, clients: Clients, load: number, limiterMs?: number) =>
  simulate(factor, clients, (peak) => [{ fromMs: loadAtMs, perMs: load * peak }], limiterMs);

const served = (requests: readonly SimulatedRequest[]) => requests.filter(({ result }) => result === 'served');
const shareServed = (requests: readonly SimulatedRequest[]) => served(requests).length / requests.length;

const machines: [string, number][] = [
  ['a fast machine', 0.5],
  ['one half as fast', 1],
];
const connections: [string, Omit<Clients, 'timeoutMs'>][] = [
  ['kept connections', { isFresh: false }],
  ['a connection per request', { isFresh: true }],
  ['a connection per request, 500 at a time', { isFresh: true, connections: 500 }],
];

describe.each(machines)('on %s', (_machine, factor) => {
  describe.each(connections)('with %s', (_connections, clients) => {
    describe.each([300, 1_000])('and clients that give up after %i ms', (timeoutMs) => {
      test.each([
        [1.2, 0.85],
        [2, 0.85],
        [4, 0.65],
      ])('%f times the peak leaves a goodput of %f, and no trace afterwards', (load, minGoodput) => {
        const { goodput, p99Ms, servedAfterwards } = overload(factor, { ...clients, timeoutMs }, load);
        expect(goodput).toBeGreaterThan(minGoodput);
        expect(p99Ms).toBeLessThan(200);
        expect(servedAfterwards).toBe(1);
      });
    });
  });
});

/** Those that wait for it are in progress, and take none of the worker's time. */
describe.each([30, 60, 95])('if Redis takes %i ms to respond', (limiterMs) => {
  test.each([
    [1.2, 0.85],
    [2, 0.8],
    [4, 0.65],
  ])('%f times the peak leaves a goodput of %f, and no trace afterwards', (load, minGoodput) => {
    const { goodput, servedAfterwards } = overload(1, { timeoutMs: 1_000, isFresh: false }, load, limiterMs);
    expect(goodput).toBeGreaterThan(minGoodput);
    expect(servedAfterwards).toBe(1);
  });
});

/** Clients whose machine stops now and then send what is due afterwards. The worker is idle meanwhile, and yet overloaded. */
describe.each(machines)('on %s, with a connection per request, if clients send in bursts', (_machine, factor) => {
  test.each([
    [2, 60],
    [2, 100],
    [4, 60],
    [4, 100],
  ])('%f times the peak in bursts %i ms apart is an overload that does not end in between', (load, apartMs) => {
    const burstMs = apartMs / 2;
    const { goodput, p99Ms, servedAfterwards } = simulate(
      factor,
      { timeoutMs: 300, isFresh: true, connections: 500 },
      (peak) =>
        Array.from({ length: loadMs / apartMs }, (_, index) => [
          { fromMs: loadAtMs + index * apartMs, perMs: load * peak * 2 },
          { fromMs: loadAtMs + index * apartMs + burstMs, perMs: 0.001 },
        ]).flat(),
    );
    expect(goodput).toBeGreaterThan(0.4);
    expect(p99Ms).toBeLessThan(200);
    expect(servedAfterwards).toBe(1);
  });
});

test('nothing is shed below the peak', () => {
  const { goodput, servedAfterwards } = overload(1, { timeoutMs: 300, isFresh: false }, 0.8);
  expect(goodput).toBeCloseTo(0.8, 2);
  expect(servedAfterwards).toBe(1);
});

/** To the worker it is the same as more load. */
describe.each([...machines, ['one of a third of its speed', 1.5]] as const)(
  'if %s loses speed for a while at 0.8 times the peak',
  (_machine, factor) => {
    test.each([
      [1.1, 800],
      [1.1, 1_600],
      [1.2, 800],
      [1.2, 1_600],
      [1.3, 400],
      [1.3, 800],
      [1.5, 400],
      [1.5, 800],
    ])('so that the load is %f times the peak for %i ms, no request waits for the end of it', (load, lastsMs) => {
      const { p99Ms, servedAfterwards } = simulate(factor, { timeoutMs: 1_000, isFresh: false }, (peak) => [
        { fromMs: loadAtMs, perMs: 0.8 * peak },
        { fromMs: loadAtMs + 2_000, perMs: load * peak },
        { fromMs: loadAtMs + 2_000 + lastsMs, perMs: 0.8 * peak },
      ]);
      expect(p99Ms).toBeLessThan(200);
      expect(servedAfterwards).toBe(1);
    });
  },
);

describe.each(machines)('on %s, while fourteen clients send more than it serves', (_machine, factor) => {
  test.each([1.1, 1.5, 3])('%f times the peak, another that uses little is not delayed for long', (load) => {
    const model = timesSlower(factor);
    const peak = capacityOf(model, false);
    const clients = { timeoutMs: 1_000, isFresh: false, addresses: 14, lightPerMs: 0.025 };
    const loads = [
      { fromMs: 0, perMs: 0.5 * peak },
      { fromMs: loadAtMs, perMs: load * peak },
    ];
    const requests = new SimulatedWorker(model, clients).run(loads, 20_000);
    const light = requests.filter(({ isLight, dueMs }) => isLight && dueMs > loadAtMs + 1_000);
    const latencies = served(light).map(({ latencyMs }) => latencyMs);
    expect(latencies).toHaveLength(light.length);
    latencies.sort((a, b) => a - b);
    expect(latencies[Math.floor(0.5 * latencies.length)]).toBeLessThan(18);
    expect(latencies[Math.floor(0.95 * latencies.length)]).toBeLessThan(35);
  });
});
