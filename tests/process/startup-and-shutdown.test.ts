/** Startup and shutdown of the exchange as real processes. */
import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { fullRequest } from '../support/full-request.ts';
import { childPids, spawnGavel, startGavel } from '../support/start-gavel.ts';
import { until } from '../support/until.ts';

const post = (endpoint: string) =>
  fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fullRequest),
  });

test('prints one line with its addresses when ready, and serves requests there', async () => {
  const gavel = await startGavel({ WORKERS: '2' });
  expect(gavel.readyLine).toMatch(/^gavel ready endpoint=http:\/\/127\.0\.0\.1:\d+\/openrtb2 .*workers=2/);
  expect(gavel.readyLine).toContain(` pid=${gavel.process.pid}`);
  gavel.process.kill('SIGUSR2'); // by mistake: it does not end the exchange
  const response = await post(gavel.endpoint);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: fullRequest.id, seatbid: [{ seat: 'house' }] });
  expect(await gavel.end()).toBe(0);
});

test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('shuts down with exit code 0 on %s', async (signal) => {
  const gavel = await startGavel({ WORKERS: '1' });
  await (await post(gavel.endpoint)).text();
  expect(await gavel.end(signal)).toBe(0);
  await expect(post(gavel.endpoint)).rejects.toThrow();
});

describe('the sandbox demand', () => {
  const hasEnded = /^gavel: the sandbox demand has ended \(SIGKILL\); its partners no longer respond$/m;
  const isSandbox = (pid: number) =>
    /sandbox\/main\.ts/.test(execFileSync('ps', ['-o', 'args=', '-p', String(pid)]).toString());

  test('that ends is reported, and the exchange goes on without it', async () => {
    const gavel = await startGavel({ WORKERS: '1', DEMAND_FILE: '' });
    const sandbox = childPids(gavel.process.pid).find(isSandbox)!;
    process.kill(sandbox, 'SIGKILL');
    await until('the end is reported', () => hasEnded.test(gavel.output()));
    expect([200, 204]).toContain((await post(gavel.endpoint)).status); // house campaigns may bid
    expect(await gavel.end()).toBe(0);
  });

  test('that ends with the exchange is not reported', async () => {
    const gavel = await startGavel({ WORKERS: '1', DEMAND_FILE: '' });
    expect(await gavel.end()).toBe(0);
    expect(gavel.output()).not.toContain('the sandbox demand has ended');
  });
});

describe('an invalid configuration', () => {
  test('prints every problem and exits with code 78', async () => {
    const child = spawnGavel({ PORT: 'x', TRUST_PROXY: 'true', DEMAND_FILE: '/missing/partners.json' });
    let errors = '';
    child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(78);
    expect(errors).toMatch(/3 problem\(s\)[\s\S]*PORT[\s\S]*TRUST_PROXY[\s\S]*partners\.json/);
  });

  test('of the sandbox, too, without a stack', async () => {
    const child = spawnGavel({ DEMAND_FILE: '', SANDBOX_PORT: 'x' });
    let errors = '';
    child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(78);
    expect(errors).toContain('SANDBOX_PORT');
    expect(errors).not.toContain('    at ');
  });
});
