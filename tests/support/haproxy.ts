/** A real HAProxy process with the configuration of deploy/haproxy, in front of instances on this machine. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from './describe-with.ts';
import { freePort } from './redis-server.ts';
import { until } from './until.ts';

/** The ports of an instance of the exchange. */
export interface InstancePorts {
  endpoint: number;
  admin: number;
}

export const describeWithHaproxy = (name: string, body: () => void): void =>
  describeWith('HAProxy', !spawnSync('haproxy', ['-v']).error, name, body);

export class Haproxy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gavel-haproxy-'));
  readonly #bidsPort: number;
  readonly #watchPort: number;
  readonly #process: ChildProcess;
  #errorOutput = '';

  constructor(bidsPort: number, watchPort: number, configuration: string) {
    this.#bidsPort = bidsPort;
    this.#watchPort = watchPort;
    const file = join(this.#folder, 'haproxy.cfg');
    writeFileSync(file, configuration);
    this.#process = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process.stderr!.on('data', (chunk: Buffer) => (this.#errorOutput += chunk.toString()));
  }

  /** Where it accepts bid requests. */
  get endpoint(): string {
    return `http://127.0.0.1:${this.#bidsPort}/openrtb2`;
  }

  /** Waits until the health checks have found so many instances ready. */
  untilReady(instances: number): Promise<void> {
    const line = `haproxy_backend_active_servers{proxy="exchange"} ${instances}`;
    return until(`${instances} instances are ready`, async () => (await this.#metrics()).split('\n').includes(line));
  }

  async end(): Promise<void> {
    if (this.#process.exitCode === null) {
      const exited = once(this.#process, 'exit');
      this.#process.kill('SIGKILL');
      await exited;
    }
    rmSync(this.#folder, { recursive: true });
  }

  async #metrics(): Promise<string> {
    if (this.#process.exitCode !== null) throw new Error(this.#errorOutput);
    const response = await fetch(`http://127.0.0.1:${this.#watchPort}/metrics`).catch(() => undefined);
    return (await response?.text()) ?? '';
  }
}

/** In front of two instances, as in the configuration. */
export async function startHaproxy(instances: readonly [InstancePorts, InstancePorts]): Promise<Haproxy> {
  const [bidsPort, watchPort] = [await freePort(), await freePort()];
  return new Haproxy(bidsPort, watchPort, configurationFor(bidsPort, watchPort, instances));
}

/** Only the addresses are replaced. */
function configurationFor(bidsPort: number, watchPort: number, instances: readonly InstancePorts[]): string {
  const source = readFileSync(new URL('../../deploy/haproxy/haproxy.cfg', import.meta.url), 'utf8');
  const addresses: [string, string][] = [
    ['bind :8080', `bind 127.0.0.1:${bidsPort}`],
    ['bind :8404', `bind 127.0.0.1:${watchPort}`],
    ...instances.map(({ endpoint, admin }, index): [string, string] => [
      `exchange-${index + 1}:8080`,
      `127.0.0.1:${endpoint} port ${admin}`,
    ]),
  ];
  return addresses.reduce((text, [address, replacement]) => {
    if (!text.includes(address)) throw new Error(`deploy/haproxy/haproxy.cfg has no ${address}`);
    return text.replace(address, replacement);
  }, source);
}
