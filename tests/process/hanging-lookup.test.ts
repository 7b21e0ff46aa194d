/** The exchange exits in time while the host name of Redis is being looked up. With real processes. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childPids, type Gavel, startGavel } from '../support/start-gavel.ts';
import { until } from '../support/until.ts';

let folder: string;
let gavel: Gavel | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gavel-lookup-'));
});
afterEach(() => {
  for (const worker of childPids(gavel?.process.pid)) process.kill(worker, 'SIGKILL');
  gavel?.process.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** getaddrinfo reads the file of HOSTALIASES for a name without a dot. Opening a pipe that nobody writes to never ends. */
function hangingLookups(): Record<string, string> {
  const pipe = join(folder, 'aliases');
  execFileSync('mkfifo', [pipe]);
  return { HOSTALIASES: pipe, REDIS_URL: 'redis://redis-that-is-looked-up' };
}

test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('%s: all processes exit, with code 0', async (signal) => {
  gavel = await startGavel({ WORKERS: '2', DRAIN_MS: '0', ...hangingLookups() });
  const workers = childPids(gavel.process.pid);
  gavel.process.kill(signal);
  await until('the primary has exited', () => gavel!.process.exitCode !== null);
  expect(gavel.process.exitCode).toBe(0);
  expect(workers).toHaveLength(2);
  expect(workers.filter(isAlive)).toEqual([]);
  expect(gavel.output()).toContain('"msg":"shutting down"');
  expect(gavel.output()).not.toContain('Warning');
});

test('SIGHUP: a worker exits by itself after its successor is ready', async () => {
  gavel = await startGavel({ WORKERS: '1', DRAIN_MS: '300000', ...hangingLookups() });
  const { pid } = gavel.process;
  const [old] = childPids(pid);
  gavel.process.kill('SIGHUP');
  await until('it has a successor', () => childPids(pid).some((worker) => worker !== old));
  await until('it has exited', () => !isAlive(old!));
});
