/** How often the shared buckets are probed, and which reasons of an outage are reported. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { BucketsUnavailable } from '../../src/limits/buckets.ts';
import { Failover } from '../../src/limits/failover.ts';

function create() {
  const reported: string[] = [];
  const results: (Error | undefined)[] = [];
  const failover = new Failover({
    nowMs: () => 0,
    probe: async () => {
      const result = results.shift();
      if (result) throw result;
    },
    onChange: (degraded, cause) => reported.push(degraded ? `degraded: ${(cause as Error).message}` : 'recovered'),
    onFurtherCause: (cause) => reported.push(`also: ${(cause as Error).message}`),
  });
  const probe = async (message?: string) => {
    results.push(message === undefined ? undefined : new Error(message));
    await failover.probe();
  };
  return { failover, reported, results, probe };
}

test('each reason of an outage is reported once, and again in the next outage', async () => {
  const { failover, reported, probe } = create();
  failover.trip(new Error('the connection was lost'));
  for (const message of ['the connection was lost', 'NOAUTH', 'NOAUTH', undefined, 'NOAUTH', undefined])
    await probe(message);
  failover.close();
  expect(reported).toEqual([
    'degraded: the connection was lost',
    'also: NOAUTH',
    'recovered',
    'degraded: NOAUTH',
    'recovered',
  ]);
});

test('a reason that is wrapped in another is the same', async () => {
  const { failover, reported, probe } = create();
  failover.trip(new Error('the script call to Redis failed', { cause: new Error('no response') }));
  await probe('no response');
  failover.close();
  expect(reported).toEqual(['degraded: the script call to Redis failed']);
});

test('two errors with one reason in plain words are one reason', async () => {
  const { failover, reported, results } = create();
  failover.trip(new BucketsUnavailable('not connected to Redis', { cause: new Error('not writeable') }));
  results.push(new BucketsUnavailable('not connected to Redis', { cause: new Error('closed') }));
  await failover.probe();
  failover.close();
  expect(reported).toEqual(['degraded: not connected to Redis']);
});

test('reasons that differ each time are reported up to a bound', async () => {
  const { failover, reported, probe } = create();
  for (let index = 0; index < 20; index++) await probe(`failure ${index}`);
  failover.close();
  expect(reported).toHaveLength(8);
});

afterEach(() => void jest.useRealTimers());

test.each([
  { mode: 'in degraded mode', minMs: 100, maxMs: 200 },
  { mode: 'otherwise', minMs: 2_000, maxMs: 4_000 },
])('$mode, a probe follows the one before after $minMs to $maxMs ms', async ({ mode, minMs, maxMs }) => {
  const isDegraded = mode === 'in degraded mode';
  jest.useFakeTimers();
  let probes = 0;
  const failover = new Failover({
    nowMs: () => 0,
    probe: () => {
      probes++;
      return isDegraded ? Promise.reject(new Error('away')) : Promise.resolve();
    },
    onChange: () => {},
  });
  if (isDegraded) failover.trip(new Error('away'));
  await jest.advanceTimersByTimeAsync(100 * maxMs);
  failover.close();
  expect(probes).toBeGreaterThan(100);
  expect(probes).toBeLessThan((100 * maxMs) / minMs);
});
