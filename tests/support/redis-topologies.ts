/** Redis as it is run in production, with real processes: a replicated master behind sentinels, and a cluster. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { type ClientOptions, freePort, RedisServer, startRedis } from './redis-server.ts';
import { until } from './until.ts';

export const masterName = 'limits';
/** Of the Redis servers behind sentinels. */
export const password = 's3cret/@';

/** After this many milliseconds of silence a server is considered down. */
const downAfterMs = 300;

abstract class Topology {
  readonly folder = mkdtempSync(join(tmpdir(), 'gavel-redis-'));
  readonly servers: RedisServer[] = [];
  readonly #clients: Redis[] = [];
  readonly #access: ClientOptions;

  /** `access` is what the servers require of a client. */
  constructor(access: ClientOptions = {}) {
    this.#access = access;
  }

  client(server: RedisServer): Redis {
    const client = server.client(this.#access);
    client.on('error', () => {});
    this.#clients.push(client);
    return client;
  }

  async end(): Promise<void> {
    for (const client of this.#clients) client.disconnect();
    for (const server of this.servers) {
      server.signal('SIGCONT');
      await server.kill();
    }
    rmSync(this.folder, { recursive: true });
  }
}

export class SentinelTopology extends Topology {
  /** By port. */
  readonly #data = new Map<number, RedisServer>();
  readonly sentinels: RedisServer[] = [];

  /** A master, a replica and three sentinels. */
  async start(): Promise<this> {
    const auth = ['--requirepass', password, '--masterauth', password, '--repl-diskless-sync-delay', '0'];
    const master = await this.#add(await startRedis([...auth, '--dir', this.folder]));
    await this.#add(await startRedis([...auth, '--dir', this.folder, '--replicaof', '127.0.0.1', String(master.port)]));
    for (let i = 0; i < 3; i++) this.sentinels.push(await this.#startSentinel(master.port));
    this.servers.push(...this.sentinels);
    await until('the sentinels know the replica and each other', () => this.#isComplete());
    return this;
  }

  get url(): string {
    const hosts = this.sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `redis+sentinel://:${encodeURIComponent(password)}@${hosts}/${masterName}`;
  }

  /** The master according to the first sentinel. */
  async master(): Promise<RedisServer> {
    const [, port] = (await this.#ask('GET-MASTER-ADDR-BY-NAME')) as [string, string];
    return this.#data.get(Number(port))!;
  }

  async #add(server: RedisServer): Promise<RedisServer> {
    this.servers.push(server);
    this.#data.set(server.port, server);
    return server;
  }

  async #startSentinel(masterPort: number): Promise<RedisServer> {
    const port = await freePort();
    const file = join(this.folder, `sentinel-${port}.conf`);
    const directives = [
      `sentinel monitor ${masterName} 127.0.0.1 ${masterPort} 2`,
      `sentinel auth-pass ${masterName} ${password}`,
      `sentinel down-after-milliseconds ${masterName} ${downAfterMs}`,
      `sentinel failover-timeout ${masterName} 2000`,
    ];
    writeFileSync(file, `port ${port}\nbind 127.0.0.1\ndir ${this.folder}\n${directives.join('\n')}\n`);
    const sentinel = new RedisServer(port, [], file);
    await sentinel.start();
    return sentinel;
  }

  async #isComplete(): Promise<boolean> {
    const replicas = (await this.#ask('REPLICAS')) as string[][];
    const others = (await this.#ask('SENTINELS')) as string[][];
    return replicas.some((fields) => fields.includes('ok')) && others.length === 2;
  }

  async #ask(subcommand: string): Promise<unknown> {
    const client = this.sentinels[0]!.client();
    try {
      return await client.call('SENTINEL', subcommand, masterName);
    } finally {
      client.disconnect();
    }
  }
}

const slotRanges = ['0 5460', '5461 10922', '10923 16383'];

export class ClusterTopology extends Topology {
  readonly #directives: (port: number) => readonly string[];

  /** `directives` are further arguments of the node with this port, and `access` is what they require of a client. */
  constructor(directives: (port: number) => readonly string[] = () => [], access: ClientOptions = {}) {
    super(access);
    this.#directives = directives;
  }

  /** Three masters, and a replica of each. */
  async start(): Promise<this> {
    for (let i = 0; i < 2 * slotRanges.length; i++) this.servers.push(await this.#startNode(i));
    const clients = this.servers.map((server) => this.client(server));
    const { port } = this.servers[0]!;
    for (const client of clients.slice(1)) await client.call('CLUSTER', 'MEET', '127.0.0.1', port);
    for (const [i, range] of slotRanges.entries())
      await clients[i]!.call('CLUSTER', 'ADDSLOTSRANGE', ...range.split(' '));
    await until('every node knows the others', async () => (await lengths(clients)).every((known) => known === 6));
    for (const [i, client] of clients.slice(slotRanges.length).entries()) {
      await client.call('CLUSTER', 'REPLICATE', (await clients[i]!.call('CLUSTER', 'MYID')) as string);
    }
    await until('the cluster is complete', async () => (await Promise.all(clients.map(isComplete))).every(Boolean));
    return this;
  }

  get hosts(): string {
    return this.servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  }

  /** The master of a key, according to a node that is alive. */
  async masterOf(key: string, witness: RedisServer): Promise<RedisServer> {
    const client = this.client(witness);
    const slot = (await client.call('CLUSTER', 'KEYSLOT', key)) as number;
    const slots = (await client.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
    const [, , [, port]] = slots.find(([from, to]) => from <= slot && slot <= to)!;
    return this.servers.find((server) => server.port === port)!;
  }

  async #startNode(index: number): Promise<RedisServer> {
    const cluster = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(downAfterMs)];
    const files = ['--dir', this.folder, '--cluster-config-file', `nodes-${index}.conf`];
    const port = await freePort();
    const node = new RedisServer(port, [...cluster, ...files, ...this.#directives(port)]);
    await node.start();
    return node;
  }
}

const lengths = (clients: Redis[]): Promise<number[]> =>
  Promise.all(
    clients.map(async (client) => ((await client.call('CLUSTER', 'NODES')) as string).trim().split('\n').length),
  );

async function isComplete(client: Redis): Promise<boolean> {
  const info = (await client.call('CLUSTER', 'INFO')) as string;
  const replication = await client.info('replication');
  return info.includes('cluster_state:ok') && /role:master|master_link_status:up/.test(replication);
}
