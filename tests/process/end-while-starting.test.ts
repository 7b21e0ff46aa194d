/** A signal to end that comes before the exchange is ready: it ends at once, in order, and leaves nobody behind. */
import { afterEach, expect, test } from '@jest/globals';
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { spawnGavel } from '../support/start-gavel.ts';
import { until } from '../support/until.ts';

/** Far below DRAIN_MS, and what a start takes. */
const promptMs = 5_000;

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

/** Code that every process of the exchange runs before its own. */
const runFirst = (code: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` });

const childrenOf = (pid: number | undefined): number[] => {
  try {
    const told = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)]).toString();
    return told.trim().split(/\s+/).map(Number);
  } catch {
    return []; // there are none
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Starts it, waits until `isTime` and sends the signal; how it ended, and what it had said. */
async function endWhile(variables: Record<string, string>, isTime?: () => boolean, signal: NodeJS.Signals = 'SIGTERM') {
  child = spawnGavel(variables);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close') as Promise<[number | null]>;
  if (isTime) {
    await until('it is time', isTime);
    child.kill(signal);
  }
  const sentAtMs = performance.now();
  const [code] = await ended;
  return { code, output, tookMs: performance.now() - sentAtMs };
}

test('while the code is being loaded', async () => {
  const signalWhenLoading = `
    import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        if (url.endsWith('/src/primary.ts')) process.kill(process.pid, 'SIGTERM');
        return next(url, context);
      },
    });`;
  const { code, output } = await endWhile(runFirst(signalWhenLoading));
  expect(code).toBe(0);
  expect(output).not.toMatch(/ready|error/i);
});

test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('while the sandbox is starting (%s)', async (signal) => {
  const slowSandbox = `if (process.env.SANDBOX_STDIN) await new Promise((resolve) => setTimeout(resolve, 60_000));`;
  let sandbox: number[] = [];
  const isStarting = () => (sandbox = childrenOf(child!.pid)).length > 0;
  expect(await endWhile({ DEMAND_FILE: '', ...runFirst(slowSandbox) }, isStarting, signal)).toMatchObject({
    code: 0,
    output: '',
  });
  await until('the sandbox is gone too', () => !sandbox.some(isAlive));
});

test('while the workers are not ready', async () => {
  const slowWorkers = `
    import cluster from 'node:cluster';
    if (cluster.isWorker) await new Promise((resolve) => setTimeout(resolve, 60_000));`;
  let workers: number[] = [];
  const areStarting = () => (workers = childrenOf(child!.pid)).length === 2;
  const { code, output, tookMs } = await endWhile({ WORKERS: '2', ...runFirst(slowWorkers) }, areStarting);
  expect(code).toBe(0);
  expect(tookMs).toBeLessThan(promptMs);
  expect(workers.filter(isAlive)).toEqual([]);
  expect(output.trim().split('\n')).toEqual([expect.stringMatching(/"cause":"SIGTERM","msg":"ending"/)]);
});
