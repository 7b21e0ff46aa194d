/** The exchange starts, serves and exits whatever happens to its standard output and standard error. */
import { afterEach, expect, test } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { Agent } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { childPids, spawnGavel } from '../support/start-gavel.ts';
import { post } from '../support/traffic.ts';
import { UnreadPipe } from '../support/unread-pipe.ts';
import { until } from '../support/until.ts';

let child: ChildProcess | undefined;
let pipe: UnreadPipe | undefined;
afterEach(() => {
  if (child?.exitCode === null) child.kill('SIGKILL');
  pipe?.delete();
  child = pipe = undefined;
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Starts the exchange on known ports: the line with its addresses may be unreadable. */
async function start(output: number, variables: Record<string, string> = {}) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), ADMIN_PORT: String(adminPort) };
  const logAll = { WORKERS: '1', LOG_SAMPLE: '1', LIMIT_IP: '1000000', LIMIT_PUBLISHER: '1000000' };
  child = spawnGavel({ ...ports, ...logAll, ...variables }, ['ignore', output, output]);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const admin = `http://127.0.0.1:${adminPort}`;
  const isReady = () => fetch(`${admin}/readyz`).then(({ ok }) => ok, () => false); // prettier-ignore
  await until('the exchange is ready', isReady);
  return {
    endpoint: `http://127.0.0.1:${port}/openrtb2`,
    dropped: async () => {
      const text = await (await fetch(`${admin}/metrics`)).text();
      return Number(/^exchange_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
    },
    end: async () => {
      child!.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}

async function send(endpoint: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const statuses = await Promise.all(
    Array.from({ length: count }, async () => (await post(endpoint, '203.0.113.7', agent)).status),
  );
  agent.destroy();
  expect(new Set(statuses)).toEqual(new Set([200]));
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('gavel ready'));

test('a full pipe that nobody reads: ready, serves, drops lines beyond 1 MiB, and reports them when it is read', async () => {
  pipe = new UnreadPipe();
  pipe.fill();
  const gavel = await start(pipe.writer);
  await send(gavel.endpoint, 6_000); // about 2 MB of log lines
  await until('lines were dropped', async () => (await gavel.dropped()) > 0);

  let output = '';
  const report = () => /"dropped":(\d+),"msg":"log lines dropped"/.exec((output += pipe!.read()));
  await until('the number of dropped lines is logged', () => report() !== null);
  expect(output).toMatch(/^gavel ready /m);
  expect(Number(report()![1])).toBe(await gavel.dropped());
  for (const line of lines(output)) expect(JSON.parse(line)).toHaveProperty('msg');
  expect(lines(output).length + (await gavel.dropped())).toBe(6_000 + 1); // and the report

  const requestLines = () => (output += pipe!.read()).split('"msg":"request"').length - 1;
  const linesBefore = requestLines();
  await send(gavel.endpoint, 1);
  await until('the request is logged', () => requestLines() === linesBefore + 1);
  expect(await gavel.end()).toBe(0);
  output += pipe.read();
  expect(output).toMatch(/"cause":"SIGTERM","msg":"shutting down"\}\n$/);
});

test('exits with code 0 on SIGTERM while nobody reads, and replaces a killed worker before', async () => {
  pipe = new UnreadPipe();
  pipe.fill();
  const gavel = await start(pipe.writer, { REDIS_URL: 'redis://127.0.0.1:1' }); // logged before the worker is ready
  const [worker] = childPids(child!.pid);
  process.kill(worker!, 'SIGKILL');
  await until('the worker is replaced', async () => {
    const [replacement] = childPids(child!.pid);
    return replacement !== undefined && replacement !== 0 && replacement !== worker;
  });
  await until('it serves', () => send(gavel.endpoint, 1).then(() => true, () => false)); // prettier-ignore
  expect(await gavel.end()).toBe(0);
});

test('a pipe whose reader has gone: serves, and writes again when there is a reader', async () => {
  pipe = new UnreadPipe();
  const gavel = await start(pipe.writer);
  pipe.read();
  pipe.close();
  await send(gavel.endpoint, 50);
  pipe.open();
  let output = '';
  await until('the lines are written', () => lines((output += pipe!.read())).length === 50);
  expect(await gavel.end()).toBe(0);
});

test('a full disk: ready, serves, counts dropped lines, and exits with code 0', async () => {
  const full = openSync('/dev/full', 'w');
  const gavel = await start(full);
  closeSync(full);
  await send(gavel.endpoint, 4_500); // more than 1 MiB of log lines
  await until('lines were dropped', async () => (await gavel.dropped()) > 0);
  expect(await gavel.end()).toBe(0);
});

test('an invalid configuration exits with code 78 while nobody reads', async () => {
  pipe = new UnreadPipe();
  pipe.fill();
  child = spawnGavel({ PORT: 'x' }, ['ignore', pipe.writer, pipe.writer]);
  expect((await once(child, 'exit'))[0]).toBe(78);
});

test('an uncaught exception in the primary exits while nobody reads', async () => {
  pipe = new UnreadPipe();
  pipe.fill();
  const throwLater = `import cluster from 'node:cluster'; if (cluster.isPrimary) setTimeout(() => { throw new Error('x'); }, 300);`;
  const preload = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(throwLater)}` };
  child = spawnGavel({ WORKERS: '1', ...preload }, ['ignore', pipe.writer, pipe.writer]);
  expect((await once(child, 'exit'))[0]).toBe(1);
});
