/** A worker that has no file descriptor left says so, and blames no partner: what counts descriptors needs one, too. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { fullRequest } from '../support/full-request.ts';
import { type ScriptedPartner, startPartner } from '../support/scripted-partner.ts';
import { childPids, type Gavel, startGavel } from '../support/start-gavel.ts';
import { until } from '../support/until.ts';

let gavel: Gavel | undefined;
let partner: ScriptedPartner | undefined;
const sockets = new Set<Socket>();
const folder = mkdtempSync(join(tmpdir(), 'gavel-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  closeAll();
  partner?.close();
  if (gavel?.process.exitCode === null) await gavel.end();
  gavel = undefined;
});

const readMetrics = async (): Promise<string> => (await fetch(`${gavel!.admin}/metrics`)).text();

const readMetric = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await readMetrics())?.[1]);

/** The exchange closes a connection without a request after a while. */
function holdConnection(port: number): void {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  sockets.add(socket);
  socket.on('close', () => {
    if (sockets.delete(socket)) holdConnection(port);
  });
}

function closeAll(): void {
  const all = [...sockets];
  sockets.clear();
  for (const socket of all) socket.destroy();
}

/** Until the worker has none left: connections of clients take them. */
async function useUpFiles(): Promise<void> {
  const [worker] = childPids(gavel!.process.pid);
  execFileSync('prlimit', [`--pid=${worker}`, `--nofile=${readdirSync(`/proc/${worker}/fd`).length + 10}`]);
  const port = Number(new URL(gavel!.endpoint).port);
  for (let i = 0; i < 50; i++) holdConnection(port);
  const max = await readMetric('process_max_fds');
  await until('no descriptor is left', async () => (await readMetric('process_open_fds')) === max);
}

const secondsWithout = 'exchange_descriptors_exhausted_seconds_total';

test('the metric reaches the limit, and the log has a line', async () => {
  gavel = await startGavel({ WORKERS: '1' });
  const [worker] = childPids(gavel.process.pid);
  const open = readdirSync(`/proc/${worker}/fd`).length;
  expect(await readMetric(secondsWithout)).toBe(0);
  expect(await readMetric('process_open_fds')).toBeLessThan(open + 10);
  await useUpFiles();
  await until('the log says so', () => gavel!.output().includes('no file descriptor is left'));
  await until('the seconds are counted', async () => (await readMetric(secondsWithout)) >= 2);

  closeAll();
  await until('the metric has recovered', async () => (await readMetric('process_open_fds')) < open + 10);
});

/** On one connection. Resolves with the status. */
function post(agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(gavel!.endpoint, { method: 'POST', agent, headers: { 'content-type': 'application/json' } });
    sent.on('error', reject).on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.end(JSON.stringify(fullRequest));
  });
}

test('calls that need a descriptor are skipped, and the circuit breaker of the partner stays closed', async () => {
  partner = await startPartner((response) => void response.writeHead(204, { connection: 'close' }).end());
  const demandFile = join(folder, 'partners.json');
  writeFileSync(
    demandFile,
    JSON.stringify({ partners: [{ name: 'steady', adapter: 'openrtb', endpoint: partner.url }] }),
  );
  gavel = await startGavel({ WORKERS: '1', DEMAND_FILE: demandFile });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await post(agent)).toBe(204);
  const { length: before } = partner.calls;
  await useUpFiles();
  for (let i = 0; i < 12; i++) expect(await post(agent)).toBe(204);
  expect(partner.calls).toHaveLength(before);
  const results = (await readMetrics()).match(/^exchange_partner_duration_seconds_count\{.*$/gm);
  expect(results).toContainEqual(expect.stringMatching(/result="skipped".* 12$/));

  closeAll();
  await until(
    'descriptors are free',
    async () => (await readMetric('process_open_fds')) < (await readMetric('process_max_fds')),
  );
  expect(await post(agent)).toBe(204);
  expect(partner.calls).toHaveLength(before + 1);
  agent.destroy();
});
