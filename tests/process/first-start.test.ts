/** Workers that exit before the exchange is ready: one is replaced, a crash loop ends the start. */
import { afterEach, expect, test } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { childPids, preload, spawnGavel, untilReady } from '../support/start-gavel.ts';
import { post } from '../support/traffic.ts';

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

test('a worker that is killed is replaced, and the exchange becomes ready', async () => {
  const killed = `
    import cluster from 'node:cluster';
    if (cluster.worker?.id === 2) process.kill(process.pid, 'SIGKILL');`;
  child = spawnGavel({ WORKERS: '3', ...preload(killed) });
  const gavel = await untilReady(child);
  expect(gavel.output()).toMatch(/"signal":"SIGKILL".*"restartDelayMs":100,"msg":"worker exited"/);
  expect(childPids(gavel.process.pid)).toHaveLength(3);
  expect((await fetch(`${gavel.admin}/readyz`)).status).toBe(200);
  expect((await post(gavel.endpoint, '203.0.113.7')).status).toBe(200);
  expect(await gavel.end()).toBe(0);
});

test('a crash loop ends the start with code 1, although one worker is ready', async () => {
  const crashing = `
    import cluster from 'node:cluster';
    if (cluster.worker && cluster.worker.id !== 1) process.exit(3);`;
  child = spawnGavel({ WORKERS: '4', ...preload(crashing) });
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(1);
  expect(output).not.toContain('gavel ready');
  expect(output.match(/"code":3,.*"msg":"worker exited"/g)!.length).toBeGreaterThan(10);
  expect(output).toContain('workers crash repeatedly at startup');
  expect(output).toContain('"cause":"startup failed","msg":"shutting down"');
});
