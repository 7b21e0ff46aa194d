/** Exchanges in namespaces of their own behind one HAProxy, all started and stopped together. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Metrics, readMetrics } from '../bench/machine/counters.ts';
import { childrenOf, cpuMicros } from '../bench/machine/processes.ts';
import { onExit } from '../bench/machine/start.ts';
import { housePartners } from '../bench/traffic/house-partners.ts';
import { networkBytes, onMachine } from './namespaces.ts';
import { instanceAddress, type Limits, network, ports, workersPerInstance } from './settings.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const startTimeoutMs = 30_000;
const stopTimeoutMs = 3_000;

export interface MachinesUsage {
  exchangeMicros: number;
  loadBalancerMicros: number;
  networkBytes: number;
}

export class Machines {
  readonly #exchanges: ChildProcess[];
  readonly #configuration: string;
  #loadBalancer: ChildProcess | undefined;
  readonly #instances: number[];

  constructor(instances: number, limits: Limits, redis: Record<string, string>, folder: string) {
    const demandFile = join(folder, 'partners.json');
    writeFileSync(demandFile, JSON.stringify(housePartners));
    const variables = { ...environment(limits, instances), ...redis, DEMAND_FILE: demandFile };
    this.#instances = Array.from({ length: instances }, (_, instance) => instance);
    this.#exchanges = this.#instances.map((instance) =>
      start([...onMachine(instance), process.execPath, main], variables),
    );
    this.#configuration = join(folder, 'haproxy.cfg');
    writeFileSync(this.#configuration, haproxyConfiguration(this.#instances));
  }

  /** HAProxy starts last: it reports every exchange that is not ready. */
  async untilReady(): Promise<this> {
    for (const instance of this.#instances) await untilReady(`${adminOf(instance)}/readyz`);
    this.#loadBalancer = start(['haproxy', '-db', '-f', this.#configuration], {});
    await untilReady(`http://127.0.0.1:${ports.loadBalancer}/ready`);
    return this;
  }

  get pids(): number[] {
    return [...this.#exchangePids(), this.#loadBalancer!.pid!];
  }

  usage(): MachinesUsage {
    return {
      exchangeMicros: sum(this.#exchangePids().map(cpuMicros)),
      loadBalancerMicros: cpuMicros(this.#loadBalancer!.pid!),
      networkBytes: sum(this.#instances.map(networkBytes)),
    };
  }

  /** Of every exchange. */
  metrics(): Promise<Metrics[]> {
    return Promise.all(this.#instances.map((instance) => readMetrics(adminOf(instance))));
  }

  async stop(): Promise<void> {
    if (this.#loadBalancer) await stop(this.#loadBalancer);
    await Promise.all(this.#exchanges.map(stop));
  }

  #exchangePids(): number[] {
    return this.#exchanges.flatMap(({ pid }) => [pid!, ...childrenOf(pid!)]);
  }
}

const adminOf = (instance: number): string => `http://${instanceAddress(instance)}:${ports.admin}`;

const environment = (limits: Limits, instances: number): Record<string, string> => ({
  PORT: String(ports.endpoint),
  ADMIN_PORT: String(ports.admin),
  ADMIN_HOST: '0.0.0.0',
  WORKERS: String(workersPerInstance),
  INSTANCES: String(instances),
  LIMIT_IP: String(limits.ip),
  LIMIT_PUBLISHER: String(limits.publisher),
  LIMIT_GLOBAL: String(limits.global),
  TRUST_PROXY: network.bridgeAddress,
  LOG_LEVEL: 'warn',
  DRAIN_MS: '500',
});

/** As deploy/haproxy/haproxy.cfg, except that the X-Forwarded-For of the generator is kept: it stands for many clients. */
const haproxyConfiguration = (instances: readonly number[]): string => `global
  maxconn 2000
defaults
  mode http
  timeout client 10s
  timeout connect 1s
  timeout server 6s
  timeout http-keep-alive 80s
frontend bids
  bind 127.0.0.1:${ports.loadBalancer}
  monitor-uri /ready
  monitor fail if { nbsrv(exchange) lt ${instances.length} }
  default_backend exchange
backend exchange
  balance leastconn
  http-reuse always
  option httpchk
  http-check send meth GET uri /readyz
  http-check expect status 200
  default-server maxconn 1000 check port ${ports.admin} inter 300ms fastinter 100ms fall 3 rise 1
${instances.map((instance) => `  server exchange-${instance} ${instanceAddress(instance)}:${ports.endpoint}`).join('\n')}
`;

/** Warnings of the exchange are shown: limits in degraded mode are not what is measured. */
function start([command, ...args]: string[], variables: Record<string, string>): ChildProcess {
  const child = spawn(command!, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, ...variables },
  });
  onExit(() => child.kill());
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  const force = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await exited;
  clearTimeout(force);
}

async function untilReady(url: string): Promise<void> {
  const deadlineMs = performance.now() + startTimeoutMs;
  while (!(await isReady(url))) {
    if (performance.now() > deadlineMs) throw new Error(`${url} was not ready within ${startTimeoutMs / 1000} s`);
    await sleep(50);
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
