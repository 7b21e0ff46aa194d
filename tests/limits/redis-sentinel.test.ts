/** Rate limits on a replicated Redis behind sentinels, whose master is killed or frozen under traffic. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parseRedisNodes, parseRedisUrl } from '../../src/limits/redis-settings.ts';
import { RedisLimiter } from '../support/redis-limiter.ts';
import type { RedisServer } from '../support/redis-server.ts';
import { masterName, password, SentinelTopology } from '../support/redis-topologies.ts';
import { until } from '../support/until.ts';

let topology: SentinelTopology;
let limiter: RedisLimiter;
beforeEach(async () => {
  topology = await new SentinelTopology().start();
  limiter = new RedisLimiter();
});
afterEach(async () => {
  limiter.close();
  await topology.end();
});

test.each<[string, (master: RedisServer) => Promise<void> | void]>([
  ['killed', (master) => master.kill()],
  ['frozen', (master) => master.signal('SIGSTOP')],
])(
  'a master that is %s: every request is decided, and limits are exact again on its successor',
  async (_fault, fail) => {
    await limiter.start(parseRedisUrl(topology.url)!);
    await limiter.expectExact('203.0.113.1');
    expect(limiter.modes).toEqual([]);
    limiter.startTraffic();
    await limiter.waitForDecisions(20);
    const master = await topology.master();
    await fail(master);
    await limiter.untilMode('degraded');
    await limiter.waitForDecisions(20);
    await until('there is a successor', async () => (await topology.master()) !== master);
    await limiter.untilMode('redis');
    await limiter.stopTraffic();
    await limiter.expectExact('203.0.113.2');
    expect(limiter.modes).toEqual(['degraded', 'redis']);
  },
);

test('a sentinel that is down is skipped', async () => {
  await topology.sentinels[0]!.kill();
  const hosts = topology.sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const settings = parseRedisNodes(`:${encodeURIComponent(password)}@${hosts}`, 'sentinel')!;
  await limiter.start({ ...settings, master: masterName });
  await limiter.expectExact('203.0.113.1');
  expect(limiter.modes).toEqual([]);
});

test('a master that the sentinels do not know leaves the worker in degraded mode, with the reason', async () => {
  await limiter.start({ ...parseRedisUrl(topology.url)!, master: 'unknown' });
  expect(limiter.modes).toEqual(['degraded']);
  expect(limiter.errors[0]).toMatch(/^no sentinel returned a master; last: connected to sentinel .* invalid reply/);
});
