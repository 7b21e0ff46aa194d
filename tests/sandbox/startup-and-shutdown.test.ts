/** Startup, output and shutdown of the sandbox process. */
import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { bidRequest } from './bid-request.ts';
import { type PartnersFile, send, spawnSandbox, startSandbox } from './start-sandbox.ts';

const house = JSON.parse(
  readFileSync(new URL('../../src/sandbox/house.json', import.meta.url), 'utf8'),
) as PartnersFile;

const partnersAt = (url: string) => ({
  partners: [
    { name: 'alpha', adapter: 'openrtb', endpoint: `${url}/alpha/bid`, timeoutMs: 300, test: true, gvlId: 9001 },
    { name: 'beta', adapter: 'openrtb', endpoint: `${url}/beta/bid`, timeoutMs: 300, test: true },
    { name: 'gamma', adapter: 'openrtb', endpoint: `${url}/gamma/bid`, timeoutMs: 300, test: true },
    { name: 'delta', adapter: 'openrtb', endpoint: `${url}/delta/bid`, timeoutMs: 5000, test: true },
    { name: 'shop', adapter: 'product-search', endpoint: `${url}/shop`, test: true },
    ...house.partners,
  ],
});

describe('the output', () => {
  test('is one line with a partners file that points to the sandbox', async () => {
    const sandbox = await startSandbox();
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await send(sandbox, '/healthz')).status).toBe(200);
    expect(await sandbox.end()).toBe(0);
    expect(sandbox.output()).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(sandbox.output())).toEqual(partnersAt(sandbox.url));
  });

  test('contains SANDBOX_URL if it is set', async () => {
    const sandbox = await startSandbox({ SANDBOX_URL: 'http://sandbox:7000/' });
    expect(JSON.parse(sandbox.output())).toEqual(partnersAt('http://sandbox:7000'));
    expect(await sandbox.end()).toBe(0);
  });
});

describe('invalid settings', () => {
  const startInvalid = async (variables: Record<string, string>) => {
    const child = spawnSandbox(variables);
    let errors = '';
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, errors, output };
  };

  test('print every problem and exit with code 78', async () => {
    const { code, errors, output } = await startInvalid({
      SANDBOX_PORT: '65536',
      SANDBOX_LATENCY_MS: 'soon',
      SANDBOX_LATENCY_SPREAD_MS: '-1',
      SANDBOX_NO_BID_SHARE: '1.5',
      SANDBOX_FAULT_SHARE: 'x',
      SANDBOX_URL: 'sandbox:7000',
      SANDBOX_STDIN: 'yes',
    });
    expect({ code, output }).toEqual({ code: 78, output: '' });
    expect(errors).toMatch(/7 problem\(s\)/);
    expect(errors.match(/SANDBOX_\w+/g)).toEqual([
      'SANDBOX_PORT',
      'SANDBOX_LATENCY_MS',
      'SANDBOX_LATENCY_SPREAD_MS',
      'SANDBOX_NO_BID_SHARE',
      'SANDBOX_FAULT_SHARE',
      'SANDBOX_URL',
      'SANDBOX_STDIN',
    ]);
  });

  test('exit with code 1 if the port is in use', async () => {
    const sandbox = await startSandbox();
    const { code, errors } = await startInvalid({ SANDBOX_PORT: new URL(sandbox.url).port });
    expect(code).toBe(1);
    expect(errors).toMatch(/EADDRINUSE/);
    await sandbox.end();
  });
});

describe('shutdown', () => {
  test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('exits with code 0 on %s', async (signal) => {
    const sandbox = await startSandbox();
    await send(sandbox, '/healthz');
    expect(await sandbox.end(signal)).toBe(0);
    await expect(send(sandbox, '/healthz')).rejects.toThrow();
  });

  test('waits for a pending response', async () => {
    const sandbox = await startSandbox({ SANDBOX_LATENCY_MS: '300' });
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    const body = JSON.stringify(bidRequest('r1'));
    await new Promise((sent) => {
      socket.write(`POST /alpha/bid HTTP/1.1\r\nhost: sandbox\r\ncontent-length: ${body.length}\r\n\r\n${body}`, sent);
    });
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const closed = once(socket, 'close');
    await send(sandbox, '/healthz');
    expect(received).toBe('');
    expect(await sandbox.end()).toBe(0);
    await closed;
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('follows the close of standard input if SANDBOX_STDIN is parent', async () => {
    const sandbox = await startSandbox({ SANDBOX_STDIN: 'parent' });
    sandbox.process.stdin.end();
    expect(await sandbox.exited).toBe(0);
  });

  test('does not follow the close of standard input by default', async () => {
    const sandbox = await startSandbox();
    sandbox.process.stdin.end();
    await once(sandbox.process.stdin, 'close');
    expect((await send(sandbox, '/healthz')).status).toBe(200);
    expect(await sandbox.end()).toBe(0);
  });
});
