/** Prebid Server Go, built from the checkout that PBS_DIR names and configured for this benchmark. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../tests/support/redis-server.ts';
import { onExit, type RunningServer } from '../machine/start.ts';

const { PBS_DIR } = process.env;
const startTimeoutMs = 60_000;

/** The bidders that the requests name. They send an OpenRTB request unchanged and recognise native bids by `mtype`. */
const bidders = { first: 'ezoic', second: 'loopme', third: 'third' } as const;

/** For `imp.ext.prebid.bidder` and `ext.prebid`. The third bidder is an alias of the first. */
export const bidderParams = { [bidders.first]: {}, [bidders.second]: { publisherId: 'bench' }, [bidders.third]: {} };
export const bidderAliases = { [bidders.third]: bidders.first };
export const auctionPath = '/openrtb2/auction';

/** Returns the checkout; ends the process with a message if it cannot be built. */
export function requireCheckout(): string {
  const folder = resolve(PBS_DIR ?? '');
  if (!PBS_DIR || !existsSync(join(folder, 'static/bidder-info')))
    fail('PBS_DIR must be the folder of a checkout of https://github.com/prebid/prebid-server');
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
  } catch {
    fail('go was not found: install the version that go.mod of Prebid Server names, https://go.dev/dl');
  }
  return folder;
}

export function build(checkout: string, folder: string): string {
  const binary = join(folder, 'prebid-server');
  process.stderr.write(`building ${checkout}\n`);
  execFileSync('go', ['build', '-o', binary, '.'], { cwd: checkout, stdio: ['ignore', 'inherit', 'inherit'] });
  return binary;
}

export const versionOf = (checkout: string): string =>
  execFileSync('git', ['-C', checkout, 'describe', '--always', '--tags']).toString().trim();

export interface PrebidServerOptions {
  binary: string;
  checkout: string;
  /** An empty folder for its configuration. */
  folder: string;
  /** Of the first and of the second bidder. */
  endpoints: readonly string[];
  /** Settings of the Go runtime. */
  variables?: Record<string, string>;
}

export async function startPrebidServer(options: PrebidServerOptions): Promise<RunningServer> {
  const { binary, checkout, folder, endpoints, variables = {} } = options;
  const [port, adminPort] = [await freePort(), await freePort()];
  mkdirSync(folder);
  symlinkSync(join(checkout, 'static'), join(folder, 'static'));
  writeFileSync(join(folder, 'pbs.yaml'), configuration(port, adminPort, endpoints));
  const child = spawn(binary, {
    cwd: folder,
    stdio: 'ignore',
    // It downloads exchange rates and vendor lists at startup; a proxy that is not there prevents that, except on loopback.
    env: { PATH: process.env.PATH, HTTPS_PROXY: 'http://127.0.0.1:1', ...variables },
  });
  onExit(() => child.kill());
  const origin = `http://127.0.0.1:${port}`;
  const deadlineMs = performance.now() + startTimeoutMs;
  while (!(await isReady(origin))) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadlineMs)
      fail(`Prebid Server did not start; try it: cd ${folder} && ${binary} -alsologtostderr`);
    await sleep(100);
  }
  return {
    url: `${origin}${auctionPath}`,
    admin: undefined,
    primary: child.pid!,
    workers: [],
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
      return [];
    },
  };
}

/**
 * Everything in memory, no downloads. More idle connections than the default of ten: with ten, most calls of this load would open a
 * connection. The adapter `m152` is disabled because its default endpoint is not a URL.
 */
const configuration = (port: number, adminPort: number, [first, second]: readonly string[]): string =>
  JSON.stringify({
    external_url: `http://127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    admin_port: adminPort,
    gdpr: { enabled: false, default_value: '0' },
    currency_converter: { fetch_interval_seconds: 0 },
    http_client: { max_idle_connections: 2_000, max_idle_connections_per_host: 500 },
    adapters: {
      [bidders.first]: { endpoint: first },
      [bidders.second]: { endpoint: second },
      m152: { disabled: true },
    },
  });

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/status`)).ok;
  } catch {
    return false;
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
