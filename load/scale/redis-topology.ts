/** The Redis of the rate limits: one server, or a Redis Cluster of three masters. It listens on the bridge. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { RedisServer } from '../../tests/support/redis-server.ts';
import { redisCpuMicros, redisPid } from '../bench/machine/counters.ts';
import { onExit } from '../bench/machine/start.ts';
import { network, ports, type TopologyName } from './settings.ts';

const slotRanges = [
  [0, 5460],
  [5461, 10_922],
  [10_923, 16_383],
] as const;

export interface RedisUsage {
  cpuMicros: number;
  networkBytes: number;
  /** CPU time of the busiest server. */
  busiestMicros: number;
}

export class RedisTopology {
  readonly #servers: RedisServer[] = [];
  readonly #clients: Redis[] = [];
  /** What the exchanges need to connect. */
  readonly variables: Record<string, string>;

  constructor(name: TopologyName, folder: string) {
    const used = name === 'one Redis' ? ports.redis.slice(0, 1) : ports.redis;
    for (const port of used) this.#servers.push(new RedisServer(port, directives(port, folder, used.length > 1)));
    onExit(() => this.#kill());
    const hosts = used.map((port) => `${network.bridgeAddress}:${port}`).join(',');
    this.variables = used.length > 1 ? { REDIS_CLUSTER: hosts } : { REDIS_URL: `redis://${hosts}` };
  }

  async start(): Promise<this> {
    for (const server of this.#servers) {
      await server.start();
      this.#clients.push(server.client());
    }
    if (this.#servers.length > 1) await this.#formCluster();
    return this;
  }

  pids(): Promise<number[]> {
    return Promise.all(this.#clients.map(redisPid));
  }

  /** Since the servers started. */
  async usage(): Promise<RedisUsage[]> {
    return Promise.all(
      this.#clients.map(async (client) => {
        const cpuMicros = await redisCpuMicros(client);
        const stats = await client.info('stats');
        const bytes = [...stats.matchAll(/^total_net_(?:in|out)put_bytes:(\d+)/gm)].map(([, count]) => Number(count));
        return { cpuMicros, busiestMicros: cpuMicros, networkBytes: bytes.reduce((sum, count) => sum + count, 0) };
      }),
    );
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.disconnect();
    for (const server of this.#servers) await server.kill();
  }

  async #formCluster(): Promise<void> {
    for (const [i, client] of this.#clients.entries())
      await client.call('CLUSTER', 'ADDSLOTSRANGE', ...slotRanges[i]!.map(String));
    for (const port of ports.redis.slice(1))
      await this.#clients[0]!.call('CLUSTER', 'MEET', network.bridgeAddress, port);
    while (!(await this.#isComplete())) await sleep(50);
  }

  async #isComplete(): Promise<boolean> {
    const infos = await Promise.all(this.#clients.map((client) => client.call('CLUSTER', 'INFO') as Promise<string>));
    return infos.every((info) => info.includes('cluster_state:ok') && info.includes('cluster_size:3'));
  }

  #kill(): void {
    for (const server of this.#servers) server.signal('SIGKILL');
  }
}

/** Loopback too, for the clients of this process. */
function directives(port: number, parent: string, isCluster: boolean): string[] {
  const folder = join(parent, `redis-${port}`);
  mkdirSync(folder, { recursive: true });
  const all = ['--bind', network.bridgeAddress, '127.0.0.1', '--protected-mode', 'no', '--dir', folder];
  if (!isCluster) return all;
  return [...all, '--cluster-enabled', 'yes', '--cluster-announce-ip', network.bridgeAddress];
}

/** The difference of two readings of the same servers. */
export function usageBetween(before: readonly RedisUsage[], after: readonly RedisUsage[]): RedisUsage {
  const differences = after.map((one, i) => ({
    cpuMicros: one.cpuMicros - before[i]!.cpuMicros,
    networkBytes: one.networkBytes - before[i]!.networkBytes,
  }));
  return {
    cpuMicros: differences.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0),
    networkBytes: differences.reduce((sum, { networkBytes }) => sum + networkBytes, 0),
    busiestMicros: Math.max(...differences.map(({ cpuMicros }) => cpuMicros)),
  };
}
