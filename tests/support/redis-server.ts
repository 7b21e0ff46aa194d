/** A real redis-server process on a free port, which a test can kill, pause and restart. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import type { RedisSettings } from '../../src/limits/redis-settings.ts';

export type ClientOptions = Omit<RedisOptions, 'replyMapping'>;

export class RedisServer {
  readonly port: number;
  readonly #directives: readonly string[];
  readonly #sentinelFile: string | undefined;
  #process: ChildProcess | undefined;

  /** `directives` are further arguments of redis-server; with the file of a sentinel, it is the only argument. */
  constructor(port: number, directives: readonly string[] = [], sentinelFile?: string) {
    this.#sentinelFile = sentinelFile;
    this.port = port;
    this.#directives = directives;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get settings(): RedisSettings {
    return { topology: 'single', nodes: [{ host: '127.0.0.1', port: this.port }] };
  }

  async start(): Promise<void> {
    const directives = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const args = this.#sentinelFile ? [this.#sentinelFile, '--sentinel'] : [...directives, ...this.#directives];
    this.#process = spawn('redis-server', args, { stdio: 'ignore' });
    while (!(await acceptsConnections(this.port))) await sleep(10);
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  async kill(): Promise<void> {
    if (this.#process === undefined || this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }

  /** A client to inspect the data; the caller closes it. */
  client(options: ClientOptions = {}): Redis {
    return new Redis(this.url, options);
  }
}

export async function startRedis(directives: readonly string[] = []): Promise<RedisServer> {
  const redis = new RedisServer(await freePort(), directives);
  await redis.start();
  return redis;
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
