/** The exchange under load: one worker and its primary on one core, Redis and the generator on the other. */
import { redisPid } from '../bench/machine/counters.ts';
import { DelayingProxy } from '../delaying-proxy.ts';
import { pin } from '../bench/machine/processes.ts';
import { startBenchRedis } from '../bench/machine/start.ts';
import { exchange } from '../bench/servers.ts';
import { housePartners } from '../bench/traffic/house-partners.ts';
import { type Load, offer } from './open-loop.ts';
import { peak, redisDelayMs } from './settings.ts';

/** The URL of a Redis whose responses are delayed, if the settings say so. */
export async function startRedisOfTarget(): Promise<string> {
  const redis = await startBenchRedis();
  const client = redis.client();
  pin(await redisPid(client), '1');
  client.disconnect();
  if (redisDelayMs === 0) return redis.url;
  const proxy = new DelayingProxy(Number(new URL(redis.url).port));
  proxy.delayMs = redisDelayMs;
  return `redis://127.0.0.1:${await proxy.start()}`;
}

export interface Target {
  port: number;
  stop(): Promise<unknown>;
}

/** This checkout's exchange, unless the folder of another one is given. */
export async function startTarget(redisUrl: string, folder: string, checkout = ''): Promise<Target> {
  const gavel = await exchange(redisUrl, housePartners, folder, { checkout }).start(1);
  for (const pid of [gavel.primary, ...gavel.workers]) pin(pid, '0');
  pin(process.pid, '1');
  return { port: Number(new URL(gavel.url).port), stop: () => gavel.stop() };
}

/** What closed-loop clients get per second that wait for each response. */
export async function saturate(
  { port, requests }: Pick<Load, 'port' | 'requests'>,
  isFresh: boolean,
  seconds: number,
): Promise<number> {
  const clients = { connections: peak.connections, timeoutMs: 5_000, isFresh };
  const { counts } = await offer({ port, requests, clients, perSecond: Infinity, seconds });
  return counts.succeeded / seconds;
}
