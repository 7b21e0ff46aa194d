/** SIGHUP at any time: the workers end up with the files as they were at the latest one that was valid. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fullRequest } from '../support/full-request.ts';
import { childPids, type Gavel, spawnGavel, testDemandFile, untilReady } from '../support/start-gavel.ts';
import { until } from '../support/until.ts';

let folder: string;
let gavel: Promise<Gavel> | undefined;
let child: ChildProcess;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gavel-reload-'));
});
afterEach(async () => {
  await (await gavel)?.end();
  rmSync(folder, { recursive: true });
});

const inFolder = (name: string): string => join(folder, name);
const { partners } = JSON.parse(readFileSync(testDemandFile, 'utf8')) as { partners: object[] };

/** The partners file, with this name for its only partner. */
function writePartners(name: string): void {
  writeFileSync(inFolder('partners.json'), JSON.stringify({ partners: [{ ...partners[0], name }] }));
}

/** New workers wait as long as the file `wait` exists; one exits if `fail` does. */
const preload = `
  import cluster from 'node:cluster';
  import { existsSync, rmSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  if (cluster.isWorker) {
    while (existsSync(process.env.FOLDER + '/wait')) await sleep(20);
    if (existsSync(process.env.FOLDER + '/fail')) {
      rmSync(process.env.FOLDER + '/fail');
      process.exit(9);
    }
  }`;

function start(): Promise<Gavel> {
  child = spawnGavel({
    WORKERS: '2',
    DEMAND_FILE: inFolder('partners.json'),
    FOLDER: folder,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
  });
  gavel = untilReady(child);
  return gavel;
}

const touch = (name: string) => writeFileSync(inFolder(name), '');
const remove = (name: string) => rmSync(inFolder(name));

/** Of ten requests on connections of their own, so that both workers get some. */
async function partnersOf({ endpoint }: Gavel): Promise<Set<string>> {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const send = () => fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(fullRequest) });
  const responses = await Promise.all(Array.from({ length: 10 }, send));
  const bodies = await Promise.all(responses.map((response) => response.json()));
  return new Set((bodies as { seatbid: { seat: string }[] }[]).map(({ seatbid }) => seatbid[0]!.seat));
}

/** As `/metrics` has it. */
async function isSuccessful({ admin }: Gavel): Promise<string | undefined> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  return /^exchange_config_reload_successful (.*)$/m.exec(text)?.[1];
}

test('a metric shows that the latest reload failed, by an invalid file or by a worker, until one succeeds', async () => {
  writePartners('a');
  const running = await start();
  expect(await isSuccessful(running)).toBe('1');
  writePartners('');
  child.kill('SIGHUP');
  await until('the invalid file shows', async () => (await isSuccessful(running)) === '0');
  writePartners('b');
  child.kill('SIGHUP');
  await until('the next reload shows', async () => (await isSuccessful(running)) === '1');
  touch('fail');
  child.kill('SIGHUP');
  await until('the failed worker shows', async () => (await isSuccessful(running)) === '0');
});

test('after a reload whose worker exits, the next one takes place with its own files', async () => {
  writePartners('a');
  const running = await start();
  const { output } = running;
  touch('wait');
  touch('fail');
  writePartners('b');
  child.kill('SIGHUP');
  await until('its first worker starts', () => childPids(child.pid).length === 3);
  writePartners('c');
  child.kill('SIGHUP');
  remove('wait');
  await until('the first reload has failed', () => output().includes('"rolling restart failed'));
  await until('the second is complete', () => output().includes('"rolling restart completed"'));
  expect(await partnersOf(running)).toEqual(new Set(['c']));
});

test('a reload that is requested while the workers start takes place when they are ready', async () => {
  writePartners('a');
  touch('wait');
  const starting = start();
  await until('the workers start', () => childPids(child.pid).length === 2);
  writePartners('b');
  child.kill('SIGHUP');
  remove('wait');
  const running = await starting;
  await until('the reload is complete', () => running.output().includes('"rolling restart completed"'));
  expect(await partnersOf(running)).toEqual(new Set(['b']));
});
