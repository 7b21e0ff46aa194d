/** Starts the exchange with its default limits, and with a pipe as its log that can be left unread. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onExit } from '../bench/machine/start.ts';
import { housePartners } from '../bench/traffic/house-partners.ts';
import { hostileQps, ratePerAddress, steadySeat } from './settings.ts';

export interface SiegedExchange {
  port: number;
  admin: string;
  primary: number;
  /** The pids of the current workers. */
  workers(): number[];
  log: LogPipe;
  stop(): void;
}

const thisCheckout = fileURLToPath(new URL('../..', import.meta.url));
const startTimeoutMs = 20_000;

/** Every setting that is not listed has its default: LIMIT_PUBLISHER, LIMIT_GLOBAL, WORKERS and the timeouts. The checkout is this one, unless another is given. */
export async function startExchange(
  redisUrl: string,
  partnerPorts: Record<string, number>,
  folder: string,
  checkout = thisCheckout,
): Promise<SiegedExchange> {
  const demandFile = join(folder, 'partners.json');
  writeFileSync(demandFile, JSON.stringify(partnersFile(partnerPorts)));
  const log = new LogPipe(folder);
  const child = spawn(process.execPath, [join(checkout, 'src/main.ts')], {
    stdio: ['ignore', log.writeEnd, 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      ADMIN_PORT: '0',
      HOST: '127.0.0.1',
      REDIS_URL: redisUrl,
      DEMAND_FILE: demandFile,
      TRUST_PROXY: '0',
      LIMIT_IP: String(ratePerAddress),
    },
  });
  onExit(() => stop(child));
  const line = await log.readyLine(child);
  return {
    port: Number(new URL(/endpoint=(\S+)/.exec(line)![1]!).port),
    admin: /admin=(\S+)/.exec(line)![1]!,
    primary: child.pid!,
    workers: () => childPids(child.pid!),
    log,
    stop() {
      stop(child);
      log.close();
    },
  };
}

/** Without starting a process: the siege reads it several times per second. */
const childPids = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

const partnersFile = (ports: Record<string, number>) => ({
  partners: [
    { name: steadySeat, adapter: 'openrtb', endpoint: `http://127.0.0.1:${ports[steadySeat]}/bid` },
    { name: 'hostile', adapter: 'openrtb', endpoint: `http://127.0.0.1:${ports.hostile}/bid`, maxQps: hostileQps },
    { name: 'products', adapter: 'product-search', endpoint: `http://127.0.0.1:${ports.products}` },
    housePartners.partners[0],
  ],
});

/** By force, workers included: a worker in an endless loop does not notice that its primary is gone. */
function stop(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null || child.killed) return;
  const workers = childPids(child.pid!);
  child.kill('SIGKILL');
  for (const pid of workers) process.kill(pid, 'SIGKILL');
}

const drainIntervalMs = 100;

/** A pipe of the kernel's default capacity, 64 KiB. */
export class LogPipe {
  readonly writeEnd: number;
  readonly #readEnd: number;
  readonly #chunk = Buffer.alloc(64 * 1024);
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string) {
    const path = join(folder, 'log');
    execFileSync('mkfifo', [path]);
    this.#readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    this.writeEnd = openSync(path, constants.O_WRONLY);
  }

  async readyLine(child: ChildProcess): Promise<string> {
    const deadlineMs = performance.now() + startTimeoutMs;
    let output = '';
    while (performance.now() < deadlineMs && child.exitCode === null) {
      output += this.#read();
      const line = /^.*ready .*\n/m.exec(output)?.[0];
      if (line !== undefined) return line;
      await sleep(10);
    }
    throw new Error(`the exchange did not become ready:\n${output}`);
  }

  /** Reads the log from now on. */
  drain(): void {
    this.#timer ??= setInterval(() => this.#readAll(), drainIntervalMs).unref();
  }

  /** Leaves the log unread from now on. */
  leaveUnread(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  close(): void {
    this.leaveUnread();
    closeSync(this.#readEnd);
    closeSync(this.writeEnd);
  }

  #readAll(): void {
    while (this.#read() !== '');
  }

  /** Empty if there is nothing to read. */
  #read(): string {
    try {
      return this.#chunk.toString('utf8', 0, readSync(this.#readEnd, this.#chunk));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return '';
      throw error;
    }
  }
}
