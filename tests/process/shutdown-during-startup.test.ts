/** Termination signals before the exchange is ready: it exits at once with code 0 and leaves no child process. */
import { afterEach, expect, test } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { childPids, preload, spawnGavel } from '../support/start-gavel.ts';
import { until } from '../support/until.ts';

/** Far below DRAIN_MS. */
const maxShutdownMs = 5_000;

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Starts the exchange and sends the signal once `condition` holds; returns exit code, output and shutdown time. */
async function signalWhen(
  variables: Record<string, string>,
  condition?: () => boolean,
  signal: NodeJS.Signals = 'SIGTERM',
) {
  child = spawnGavel(variables);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  if (condition) {
    await until('the condition for the signal holds', condition);
    child.kill(signal);
  }
  const sentAtMs = performance.now();
  const [code] = await closed;
  return { code, output, shutdownMs: performance.now() - sentAtMs };
}

test('exits while modules load', async () => {
  const signalDuringLoad = `
    import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        if (url.endsWith('/src/primary.ts')) process.kill(process.pid, 'SIGTERM');
        return next(url, context);
      },
    });`;
  const { code, output } = await signalWhen(preload(signalDuringLoad));
  expect(code).toBe(0);
  expect(output).not.toMatch(/ready|error/i);
});

test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('exits while the sandbox starts (%s)', async (signal) => {
  const slowSandbox = `if (process.env.SANDBOX_STDIN) await new Promise((resolve) => setTimeout(resolve, 60_000));`;
  let sandbox: number[] = [];
  const isStarting = () => (sandbox = childPids(child!.pid)).length > 0;
  expect(await signalWhen({ DEMAND_FILE: '', ...preload(slowSandbox) }, isStarting, signal)).toMatchObject({
    code: 0,
    output: '',
  });
  await until('the sandbox has exited too', () => !sandbox.some(isAlive));
});

test('exits while workers start', async () => {
  const slowWorkers = `
    import cluster from 'node:cluster';
    if (cluster.isWorker) await new Promise((resolve) => setTimeout(resolve, 60_000));`;
  let workers: number[] = [];
  const areStarting = () => (workers = childPids(child!.pid)).length === 2;
  const { code, output, shutdownMs } = await signalWhen({ WORKERS: '2', ...preload(slowWorkers) }, areStarting);
  expect(code).toBe(0);
  expect(shutdownMs).toBeLessThan(maxShutdownMs);
  expect(workers.filter(isAlive)).toEqual([]);
  expect(output.trim().split('\n')).toEqual([expect.stringMatching(/"cause":"SIGTERM","msg":"shutting down"/)]);
});
