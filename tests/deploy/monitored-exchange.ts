/** An exchange and clients that together produce every event on the dashboards: with Redis, healthy and failing partners. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { titleRequest } from '../support/auction-exchange.ts';
import { freePort, type RedisServer, startRedis } from '../support/redis-server.ts';
import { bids, hangs, startPartner } from '../support/scripted-partner.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';

export interface MonitoredExchange {
  gavel: Gavel;
  redis: RedisServer;
  /** Makes the rates file invalid. */
  rejectRates(): void;
  stop(): Promise<void>;
}

/** Low, so that the clients exceed the limit of every scope. */
const limits = { LIMIT_IP: '40', LIMIT_PUBLISHER: '20', LIMIT_GLOBAL: '150' };

export async function startMonitoredExchange(): Promise<MonitoredExchange> {
  const redis = await startRedis();
  const good = await startPartner(bids(2));
  const cheap = await startPartner(bids(1));
  const slow = await startPartner(hangs);
  const partners = {
    good: good.url,
    cheap: cheap.url,
    slow: slow.url,
    dead: `http://127.0.0.1:${await freePort()}/bid`,
  };
  const folder = mkdtempSync(join(tmpdir(), 'gavel-partners-'));
  const file = join(folder, 'partners.json');
  const entries = Object.entries(partners).map(([name, endpoint]) => ({
    name,
    endpoint,
    adapter: 'openrtb',
    test: true,
  }));
  writeFileSync(file, JSON.stringify({ partners: entries }));
  const rates = join(folder, 'rates.json');
  writeFileSync(rates, JSON.stringify({ dataAsOf: '2026-01-31', conversions: { USD: { EUR: 0.92 } } }));
  const gavel = await startGavel({
    WORKERS: '2',
    REDIS_URL: redis.url,
    DEMAND_FILE: file,
    RATES_FILE: rates,
    LOG_LEVEL: 'info',
    ...limits,
  });
  const stop = async () => {
    await gavel.end('SIGKILL');
    for (const partner of [good, cheap, slow]) partner.close();
    await redis.kill();
    rmSync(folder, { recursive: true });
  };
  return { gavel, redis, rejectRates: () => writeFileSync(rates, '{}'), stop };
}

/** Starts clients that send one request after the other until they are stopped. */
export function startClients(endpoint: string): { stop(): Promise<void> } {
  const agent = new Agent({ keepAlive: true });
  const stopping = new AbortController();
  const run = async (body: object, address: string, pauseMs: number) => {
    while (!stopping.signal.aborted) {
      await send(endpoint, JSON.stringify(body), address, agent);
      await sleep(pauseMs);
    }
  };
  const publisher = titleRequest({ site: { publisher: { id: 'pub-1' } } });
  const shortPausesMs = [5, 5, 5, 5];
  const clients = [
    ...shortPausesMs.map((pauseMs) => run(titleRequest(), '198.51.100.3', pauseMs)), // exceed LIMIT_IP
    ...shortPausesMs.map((pauseMs, i) => run(publisher, `198.51.101.${i}`, pauseMs)), // exceed LIMIT_PUBLISHER
    run(titleRequest(), '198.51.100.1', 50),
    run(titleRequest({}, { bidfloor: 1.5 }), '198.51.100.4', 100), // above the price of one partner
    run(titleRequest({}, { bidfloor: 900 }), '198.51.100.5', 100), // above the price of all partners
    run(titleRequest({ test: 1 }), '198.51.100.6', 100),
    run(titleRequest({ regs: { ext: { gdpr: 1 } } }), '198.51.100.7', 100), // a warning: no consent string
    run({ id: 'no-impression', site: { domain: 'rider.example' } }, '198.51.100.8', 100),
  ];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

/** Sends concurrent requests, each from a different address, to exceed LIMIT_GLOBAL. */
export async function sendBurst(endpoint: string, requests: number): Promise<void> {
  const body = JSON.stringify(titleRequest());
  await Promise.all(Array.from({ length: requests }, (_, i) => send(endpoint, body, `203.0.113.${i}`, false)));
}

/** Opens requests without a body from one address, until the exchange responds with 503 or has ended all of them. */
export async function openStalledRequests(endpoint: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'content-length': 2, 'x-forwarded-for': '192.0.2.1' };
  const calls: ReturnType<typeof request>[] = [];
  await new Promise<void>((resolve) => {
    let open = 220;
    for (let i = open; i > 0; i--) {
      const call = request(endpoint, { method: 'POST', headers, agent: false }, (response) => {
        if (response.resume().statusCode === 503) resolve();
      });
      call.on('error', () => {}).on('close', () => --open === 0 && resolve());
      call.flushHeaders();
      calls.push(call);
    }
  });
  for (const call of calls) call.destroy();
}

/** Stops the primary for longer than the shortest stall that it counts. */
export async function stallPrimary(gavel: Gavel): Promise<void> {
  gavel.process.kill('SIGSTOP');
  await sleep(2_500);
  gavel.process.kill('SIGCONT');
}

export function killWorker({ process: { pid } }: Gavel): void {
  const [worker] = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)])
    .toString()
    .trim()
    .split(/\s+/)
    .map(Number);
  process.kill(worker!, 'SIGKILL');
}

/** Ignores the response: the tests look only at the metrics. */
function send(endpoint: string, body: string, address: string, agent: Agent | false): Promise<void> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const call = request(endpoint, { method: 'POST', headers, agent }, (response) => {
      response
        .on('end', resolve)
        .on('error', () => resolve())
        .resume();
    });
    call.setTimeout(3_000, () => call.destroy());
    call.on('error', () => resolve()).end(body);
  });
}
