/** A real Prometheus process on a free port with its own data folder, and promtool. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './redis-server.ts';
import { until } from './until.ts';

const notInstalled = (name: string) =>
  new Error(`${name} was not found on the PATH; tests/support/install-prometheus installs it (make test does)`);

export const rulesFolder = fileURLToPath(new URL('../../deploy/prometheus/rules/', import.meta.url));

/** Runs promtool; returns its exit status and output. */
export function promtool(args: string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8', timeout: 120_000 });
  if (error && 'code' in error && error.code === 'ENOENT') throw notInstalled('promtool');
  return { status, output: stdout + stderr };
}

/** One series of a range query. */
export interface Series {
  metric: Record<string, string>;
  values: [seconds: number, value: string][];
}

export interface Rule {
  type: 'alerting' | 'recording';
  name: string;
  query: string;
  health: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

export class Prometheus {
  readonly #url: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  constructor(url: string, child: ChildProcess, folder: string) {
    this.#url = url;
    this.#process = child;
    this.#folder = folder;
  }

  /** Runs an instant query. */
  async query(query: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> {
    return ((await this.#get('query', { query })) as { result: [] }).result;
  }

  /** Runs a range query from `start` (seconds since the epoch) until now, with a step of one second. */
  async queryRange(query: string, start: number): Promise<Series[]> {
    const range = { query, start: String(start), end: String(Date.now() / 1000), step: '1' };
    return ((await this.#get('query_range', range)) as { result: Series[] }).result;
  }

  async rules(): Promise<Rule[]> {
    const { groups } = (await this.#get('rules', {})) as { groups: { rules: Rule[] }[] };
    return groups.flatMap(({ rules }) => rules);
  }

  async end(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
    rmSync(this.#folder, { recursive: true });
  }

  async #get(path: string, parameters: Record<string, string>): Promise<unknown> {
    const response = await fetch(`${this.#url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`);
    const body = (await response.json()) as { status: string; error?: string; data: unknown };
    if (body.status !== 'success') throw new Error(`${body.error} in ${parameters.query}`);
    return body.data;
  }
}

/** Starts a Prometheus that scrapes exchanges and HAProxies (host:port) and evaluates the repository's rules, both every second. */
export async function startPrometheus(targets: string[], haproxies: string[] = []): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'gavel-prometheus-'));
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [`${rulesFolder}*.yml`],
    scrape_configs: [
      { job_name: 'exchange', static_configs: [{ targets }] },
      { job_name: 'haproxy', static_configs: [{ targets: haproxies }] },
    ],
  };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config)); // JSON is valid YAML
  try {
    return await run(folder, `127.0.0.1:${await freePort()}`);
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
}

async function run(folder: string, address: string): Promise<Prometheus> {
  const settings = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--log.level=error',
  ];
  const child = spawn('prometheus', settings, {
    env: { PATH: process.env.PATH, GOMAXPROCS: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.on('error', () => {}); // the missing pid reports it
  if (child.pid === undefined) throw notInstalled('prometheus');
  let errorOutput = '';
  child.stderr.on('data', (chunk: Buffer) => (errorOutput += chunk.toString()));
  await until('Prometheus is ready', async () => {
    if (child.exitCode !== null) throw new Error(errorOutput);
    return isReady(`http://${address}`);
  }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return new Prometheus(`http://${address}`, child, folder);
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
