/** The exchange under audit: one worker, partners of all three kinds, and the CPU time that each request costs the worker. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, cpuMicros } from '../bench/machine/processes.ts';
import { type RunningServer, startServer, temporaryFolder } from '../bench/machine/start.ts';
import { type AuditClient, createClient } from './client.ts';
import { httpResponse, type Messages } from './messages.ts';
import { type PartnerServer, startPartnerServer } from './partner-server.ts';
import { houseCampaigns, sampleBidResponse, sampleProducts } from './samples.ts';

/** A request without a response by then, or one that ends the worker, is recorded with this much CPU time. */
const timeoutMs = 10_000;
const coldRequests = 500;
const exitMs = 200;

export interface Cost {
  /** Of all requests together. */
  cpuMs: number;
  /** The lowest of the responses; 0 if there was none. */
  status: number;
}

export class ExchangeUnderAudit {
  readonly #variables: Record<string, string>;
  readonly #bids: PartnerServer;
  readonly #products: PartnerServer;
  #server: RunningServer | undefined;
  #clients: AuditClient[] = [];
  #worker = 0;
  #requests = 0;

  private constructor(variables: Record<string, string>, bids: PartnerServer, products: PartnerServer) {
    this.#variables = variables;
    this.#bids = bids;
    this.#products = products;
  }

  static async start(): Promise<ExchangeUnderAudit> {
    const bids = await startPartnerServer(ordinaryBids);
    const products = await startPartnerServer(ordinaryProducts);
    const demandFile = join(temporaryFolder(), 'partners.json');
    const partners = [
      { name: 'bidder', adapter: 'openrtb', endpoint: `${bids.url}/bid`, test: true },
      { name: 'shop', adapter: 'product-search', endpoint: products.url, cacheMs: 0, test: true },
      { name: 'house', adapter: 'house', campaigns: houseCampaigns, test: true },
    ];
    writeFileSync(demandFile, JSON.stringify({ partners }));
    const exchange = new ExchangeUnderAudit({ ...settings, DEMAND_FILE: demandFile }, bids, products);
    await exchange.#restart();
    return exchange;
  }

  /** Whether the worker is new: it has not compiled yet what it uses. */
  get isCold(): boolean {
    return this.#requests < coldRequests;
  }

  /** Calls to partners so far. */
  get calls(): { bids: number; products: number } {
    return { bids: this.#bids.calls, products: this.#products.calls };
  }

  /** Sends the requests at once; all of them get the responses of the first. If there is no response, the exchange is restarted. */
  async measure(all: readonly Messages[]): Promise<Cost> {
    const { bids = ordinaryBids, products = ordinaryProducts } = all[0]!;
    this.#bids.response = bids;
    this.#products.response = products;
    while (this.#clients.length < all.length) this.#clients.push(createClient(this.#server!.url, timeoutMs));
    this.#requests += all.length;
    const before = cpuMicros(this.#worker);
    try {
      const statuses = await Promise.all(all.map(({ request }, index) => this.#clients[index]!.send(request)));
      const cpuMs = (cpuMicros(this.#worker) - before) / 1000;
      const status = Math.min(...statuses);
      if (status === 0) await this.#verifyWorker();
      return { cpuMs, status };
    } catch {
      await this.#restart();
      return { cpuMs: timeoutMs, status: 0 };
    }
  }

  /** Waits until the worker is idle, so that what it does after its response is not charged to the next request. */
  async settle(): Promise<void> {
    try {
      let before = cpuMicros(this.#worker);
      for (let attempt = 0; attempt < 50; attempt++) {
        await sleep(20);
        const now = cpuMicros(this.#worker);
        if (now - before < 500) return;
        before = now;
      }
    } catch {
      await this.#restart(); // the worker has exited
    }
  }

  async #restart(): Promise<void> {
    for (const client of this.#clients) client.close();
    this.#clients = [];
    this.#requests = 0;
    if (this.#server) {
      for (const pid of [this.#worker, this.#server.primary]) kill(pid);
    }
    this.#server = await startServer('src/main.ts', this.#variables);
    [this.#worker] = childrenOf(this.#server.primary) as [number];
  }

  /** Throws if the worker has exited; a worker without memory takes a moment to do so. */
  async #verifyWorker(): Promise<void> {
    await sleep(exitMs);
    cpuMicros(this.#worker);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has exited
  }
}

/** Limits that admit everything, and no timeout: a call that is cancelled is not processed. */
const settings = {
  PORT: '0',
  ADMIN_PORT: '0',
  HOST: '127.0.0.1',
  WORKERS: '1',
  LIMIT_IP: '1000000',
  LIMIT_PUBLISHER: '1000000',
  LIMIT_GLOBAL: '1000000',
  TIMEOUT_MS: '5000',
  SOFT_TIMEOUT_MS: '5000',
  NODE_OPTIONS: '--max-old-space-size=1024',
};

export const ordinaryBids = httpResponse(JSON.stringify(sampleBidResponse));
export const ordinaryProducts = httpResponse(JSON.stringify(sampleProducts));
