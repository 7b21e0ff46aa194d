/** Starts the processes of a benchmark: servers, Redis, sandbox demand. All of them end with the benchmark. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type RedisServer, startRedis } from '../../../tests/support/redis-server.ts';
import { childrenOf } from './processes.ts';

const exitHandlers: (() => void)[] = [];
process.on('exit', () => {
  for (const handler of exitHandlers.toReversed()) handler();
});

/** 128 plus the signal number, as in a shell. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 };
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(exitCodes[signal]));

/** Handlers run in reverse order, whether the benchmark finishes, fails or is interrupted. */
export const onExit = (handler: () => void): number => exitHandlers.push(handler);

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gavel-bench-'));
  onExit(() => rmSync(folder, { recursive: true, maxRetries: 3 }));
  return folder;
}

export async function startBenchRedis(): Promise<RedisServer> {
  const redis = await startRedis();
  onExit(() => redis.signal('SIGKILL'));
  return redis;
}

export interface RunningServer {
  url: string;
  /** The admin server; undefined for baselines. */
  admin: string | undefined;
  primary: number;
  workers: number[];
  /** Resolves with the log lines of level warn and above. */
  stop(): Promise<string[]>;
}

/** `script` is relative to the project. */
export async function startServer(script: string, variables: Record<string, string>): Promise<RunningServer> {
  const child = spawn(process.execPath, [projectFile(script)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, ...variables },
  });
  onExit(() => child.kill());
  const line = await readyLine(child, script);
  const warnings = collectWarnings(child);
  return {
    url: /endpoint=(\S+)/.exec(line)![1]!,
    admin: /admin=(\S+)/.exec(line)?.[1],
    primary: child.pid!,
    workers: childrenOf(child.pid!),
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
      return warnings;
    },
  };
}

const project = fileURLToPath(new URL('../../..', import.meta.url));
/** An absolute path stays as it is. */
const projectFile = (path: string): string => resolve(project, path);

function readyLine(child: ChildProcess, script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const line = /^.*ready .*$/m.exec(output)?.[0];
      if (line === undefined) return;
      child.stdout!.off('data', read);
      resolve(line);
    };
    child.stdout!.on('data', read);
    child.on('exit', () => reject(new Error(`${script} exited before it was ready:\n${output}`)));
  });
}

/** The levels warn, error and fatal of pino. */
const warningLevels = ['"level":40', '"level":50', '"level":60'];
const isWarning = (text: string | Buffer): boolean => warningLevels.some((level) => text.includes(level));

/** Splits a chunk into lines only if it contains a warning: this process shares the machine with the server. */
function collectWarnings({ stdout }: ChildProcess): string[] {
  const warnings: string[] = [];
  stdout!.on('data', (chunk: Buffer) => {
    if (isWarning(chunk)) warnings.push(...chunk.toString().split('\n').filter(isWarning));
  });
  return warnings;
}

export interface Sandbox {
  /** The bid endpoints of its OpenRTB partners that bid in US dollars. */
  endpoints: string[];
  pid: number;
}

/** Starts the sandbox demand without latency; its partners always bid. */
export async function startSandbox(): Promise<Sandbox> {
  const child = spawn(process.execPath, [projectFile('src/sandbox/main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, SANDBOX_LATENCY_MS: '0', SANDBOX_NO_BID_SHARE: '0' },
  });
  onExit(() => child.kill());
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { partners } = JSON.parse(line) as { partners: { name: string; endpoint: string }[] };
  const endpoints = partners.filter(({ name }) => ['alpha', 'beta'].includes(name)).map(({ endpoint }) => endpoint);
  return { endpoints, pid: child.pid! };
}
