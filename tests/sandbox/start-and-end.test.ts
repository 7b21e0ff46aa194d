/** The sandbox as a process, from the line that it prints to its end. */
import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { bidRequest } from './bid-request.ts';
import { ask, type PartnersFile, spawnSandbox, startSandbox } from './start-sandbox.ts';

const house = JSON.parse(
  readFileSync(new URL('../../src/sandbox/house.json', import.meta.url), 'utf8'),
) as PartnersFile;

const partnersAt = (url: string) => ({
  partners: [
    { name: 'alpha', adapter: 'openrtb', endpoint: `${url}/alpha/bid`, timeoutMs: 300, test: true },
    { name: 'beta', adapter: 'openrtb', endpoint: `${url}/beta/bid`, timeoutMs: 300, test: true },
    { name: 'shop', adapter: 'product-search', endpoint: `${url}/shop`, test: true },
    ...house.partners,
  ],
});

describe('the line that it prints', () => {
  test('is the only one, and a partners file that points at it', async () => {
    const sandbox = await startSandbox();
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await ask(sandbox, '/healthz')).status).toBe(200);
    expect(await sandbox.end()).toBe(0);
    expect(sandbox.output()).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(sandbox.output())).toEqual(partnersAt(sandbox.url));
  });

  test('has the address of SANDBOX_URL instead, where that is set', async () => {
    const sandbox = await startSandbox({ SANDBOX_URL: 'http://sandbox:7000/' });
    expect(JSON.parse(sandbox.output())).toEqual(partnersAt('http://sandbox:7000'));
    expect(await sandbox.end()).toBe(0);
  });
});

describe('settings that cannot be used', () => {
  const fail = async (variables: Record<string, string>) => {
    const child = spawnSandbox(variables);
    let told = '';
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, told, output };
  };

  test('stop the start with every problem and exit code 78', async () => {
    const { code, told, output } = await fail({
      SANDBOX_PORT: '65536',
      SANDBOX_LATENCY_MS: 'soon',
      SANDBOX_LATENCY_SPREAD_MS: '-1',
      SANDBOX_NO_BID_SHARE: '1.5',
      SANDBOX_FAULT_SHARE: 'x',
      SANDBOX_URL: 'sandbox:7000',
      SANDBOX_STDIN: 'yes',
    });
    expect({ code, output }).toEqual({ code: 78, output: '' });
    expect(told).toMatch(/7 problem\(s\)/);
    expect(told.match(/SANDBOX_\w+/g)).toEqual([
      'SANDBOX_PORT',
      'SANDBOX_LATENCY_MS',
      'SANDBOX_LATENCY_SPREAD_MS',
      'SANDBOX_NO_BID_SHARE',
      'SANDBOX_FAULT_SHARE',
      'SANDBOX_URL',
      'SANDBOX_STDIN',
    ]);
  });

  test('of which a port that is taken shows only at the start', async () => {
    const sandbox = await startSandbox();
    const { code, told } = await fail({ SANDBOX_PORT: new URL(sandbox.url).port });
    expect(code).toBe(1);
    expect(told).toMatch(/EADDRINUSE/);
    await sandbox.end();
  });
});

describe('its end', () => {
  test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('comes in order with %s', async (signal) => {
    const sandbox = await startSandbox();
    await ask(sandbox, '/healthz');
    expect(await sandbox.end(signal)).toBe(0);
    await expect(ask(sandbox, '/healthz')).rejects.toThrow();
  });

  test('waits for an answer that is under way', async () => {
    const sandbox = await startSandbox({ SANDBOX_LATENCY_MS: '300' });
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    const body = JSON.stringify(bidRequest('r1'));
    await new Promise((sent) => {
      socket.write(`POST /alpha/bid HTTP/1.1\r\nhost: sandbox\r\ncontent-length: ${body.length}\r\n\r\n${body}`, sent);
    });
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const closed = once(socket, 'close');
    await ask(sandbox, '/healthz');
    expect(received).toBe('');
    expect(await sandbox.end()).toBe(0);
    await closed;
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('comes with the end of its standard input, where that is its parent', async () => {
    const sandbox = await startSandbox({ SANDBOX_STDIN: 'parent' });
    sandbox.process.stdin.end();
    expect(await sandbox.ended).toBe(0);
  });

  test('does not come with the end of its standard input otherwise', async () => {
    const sandbox = await startSandbox();
    sandbox.process.stdin.end();
    await once(sandbox.process.stdin, 'close');
    expect((await ask(sandbox, '/healthz')).status).toBe(200);
    expect(await sandbox.end()).toBe(0);
  });
});
