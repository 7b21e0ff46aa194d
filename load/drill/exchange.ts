/** Starts the exchange under drill: two workers, known ports, and a log that goes wherever the fault needs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { unusedPort } from './unused-port.ts';
import type { UnreadPipe } from '../../tests/support/unread-pipe.ts';
import { housePartners } from '../bench/traffic/house-partners.ts';
import { readiness } from './admin-watch.ts';
import { LogSource } from './log-source.ts';

export interface ExchangeOptions {
  variables?: Record<string, string>;
  /** Beside the house partners. */
  partners?: object[];
  /** Standard output: a pipe that the fault controls, or the path of a file; by default a pipe that is read. */
  output?: UnreadPipe | string;
  /** The command that executes the exchange in surroundings of its own; its last argument is followed by that command. */
  wrapper?: string[];
  redisUrl?: string | undefined;
}

export interface DrilledExchange {
  port: number;
  admin: string;
  process: ChildProcess;
  log: LogSource;
  demandFile: string;
  /** The pids of the current workers. */
  workers(): number[];
  /** Resolves with the exit code, or undefined if it does not exit in time. */
  exitCode: (withinMs: number) => Promise<number | null | undefined>;
  /** By force, workers included. */
  kill(): void;
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
export const workers = 2;
const startTimeoutMs = 30_000;

export async function spawnExchange(folder: string, options: ExchangeOptions): Promise<DrilledExchange> {
  const demandFile = join(folder, 'partners.json');
  writeFileSync(demandFile, JSON.stringify({ partners: [...housePartners.partners, ...(options.partners ?? [])] }));
  const [port, adminPort] = [await unusedPort(), await unusedPort()];
  const child = spawnMain(options, { PORT: String(port), ADMIN_PORT: String(adminPort), DEMAND_FILE: demandFile });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const log = readLog(child, options);
  return {
    port,
    admin: `http://127.0.0.1:${adminPort}`,
    process: child,
    log,
    demandFile,
    workers: () => childPids(child.pid!),
    exitCode: async (withinMs) => (await Promise.race([exited, sleep(withinMs, undefined)]))?.[0],
    kill: () => kill(child),
  };
}

function spawnMain({ variables, output, wrapper = [], redisUrl }: ExchangeOptions, own: Record<string, string>) {
  const [command, ...args] = [...wrapper, process.execPath, main];
  const fd = typeof output === 'string' ? openSync(output, 'a') : output?.writer;
  const env = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    WORKERS: String(workers),
    LIMIT_IP: '1000000',
    LIMIT_PUBLISHER: '1000000',
    LIMIT_GLOBAL: '1000000',
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    ...own,
    ...variables,
  };
  const child = spawn(command, args, { stdio: ['ignore', fd ?? 'pipe', fd ?? 'pipe'], env });
  if (typeof output === 'string') closeSync(fd!);
  return child;
}

function readLog(child: ChildProcess, { output }: ExchangeOptions): LogSource {
  const log = new LogSource();
  if (typeof output === 'string') log.readFile(output);
  else if (output) log.readPipe(output);
  else for (const stream of [child.stdout!, child.stderr!]) log.readStream(stream);
  return log;
}

export async function untilReady({ admin, process: child, log }: DrilledExchange): Promise<void> {
  const deadlineMs = performance.now() + startTimeoutMs;
  while ((await readiness(admin)) !== 200) {
    if (child.exitCode !== null || performance.now() > deadlineMs)
      throw new Error(`the exchange did not become ready:\n${log.lines.map(({ text }) => text).join('\n')}`);
    await sleep(5);
  }
}

/** Without starting a process: that would delay the client. */
function childPids(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // it has exited
  }
}

function kill(child: ChildProcess): void {
  const pids = childPids(child.pid!);
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it has exited
    }
  }
}
