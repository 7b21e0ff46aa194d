/** Traffic arrives as soon as the exchange is ready. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from '../drill.ts';
import type { Fault } from '../fault.ts';
import { durationsBetween, quantile } from '../judge.ts';
import { allWorkersReady } from '../signs.ts';
import { SteadyClient } from '../steady-client.ts';

const perSecond = 200;
/** A difference below this is the machine's. */
const noiseMs = 50;

export const firstSecond: Fault = {
  name: 'first-second',
  title: `${perSecond} requests per second from the moment of readiness`,
  maxRecoveryMs: 1_000,
  async run(drill) {
    const redis = await drill.startRedis();
    await warmUpClient(drill);
    drill.faultBegins();
    await drill.startExchange({ redisUrl: redis.url });
    const startedAtMs = performance.now();
    drill.faultEnds();
    const client = await drill.startLoad({ perSecond, watchAfterMs: 1_000, durationMs: 8_000 });
    const p99 = (fromMs: number, toMs: number) =>
      quantile(durationsBetween(client.sent, startedAtMs + fromMs, startedAtMs + toMs), 0.99);
    const [first, steady] = [p99(0, 1_000), p99(3_000, 8_000)];
    drill.expect(
      `p99 of the first second ${Math.round(first)} ms, later ${Math.round(steady)} ms; goal: at most twice that, or ${noiseMs} ms more`,
      first <= Math.max(2 * steady, steady + noiseMs),
    );
    return drill.finish({
      metric: { series: '/readyz', shows: (status) => status === 200 },
      logLine: { msg: 'gavel ready' },
      isNormal: allWorkersReady,
    });
  },
};

/** Otherwise the first second of the client would be measured, too. */
async function warmUpClient(drill: Drill): Promise<void> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = new SteadyClient((server.address() as AddressInfo).port, drill.requests(), 2 * perSecond);
  client.start();
  await sleep(2_000);
  await client.stop();
  server.close();
  server.closeAllConnections();
}
