/** The servers under test: baselines and the exchange. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Metrics, readMetrics, sumOf } from './machine/counters.ts';
import { type RunningServer, startServer } from './machine/start.ts';

export interface BenchServer {
  name: string;
  start(workers: number): Promise<RunningServer>;
}

/** `script` is the name of a file in baselines/. */
export const baseline = (name: string, script: string, variables: Record<string, string>): BenchServer => ({
  name,
  start: (workers) => startServer(`load/bench/baselines/${script}.ts`, { ...variables, WORKERS: String(workers) }),
});

export interface ExchangeOptions {
  overrides?: Record<string, string>;
  /** The folder of another checkout; this one by default. */
  checkout?: string;
}

/** The exchange with rate limits that admit everything and otherwise default settings, overridden by `overrides`. */
export function exchange(
  redisUrl: string,
  partners: object,
  folder: string,
  { overrides = {}, checkout = '' }: ExchangeOptions = {},
): BenchServer {
  const demandFile = join(folder, 'partners.json');
  writeFileSync(demandFile, JSON.stringify(partners));
  const variables = {
    PORT: '0',
    ADMIN_PORT: '0',
    HOST: '127.0.0.1',
    REDIS_URL: redisUrl,
    DEMAND_FILE: demandFile,
    LIMIT_IP: '1000000',
    LIMIT_PUBLISHER: '1000000',
    LIMIT_GLOBAL: '1000000',
    TRUST_PROXY: 'loopback',
    ...overrides,
  };
  return {
    name: 'the exchange',
    start: (workers) => startServer(join(checkout, 'src/main.ts'), { ...variables, WORKERS: String(workers) }),
  };
}

/** Sends one request to the exchange and saves the response for the baselines. Returns the path of the file. */
export async function recordResponse(gavel: BenchServer, body: string, folder: string): Promise<string> {
  const running = await gavel.start(1);
  const response = await fetch(running.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`the exchange responded with ${response.status}: ${text}`);
  const file = join(folder, 'response.json');
  writeFileSync(file, text);
  await running.stop();
  return file;
}

/** Throws unless every request ended with a bid and the rate limits were decided in Redis. Returns the number of requests. */
export async function verifyBids(gavel: RunningServer): Promise<number> {
  const metrics = await readMetrics(gavel.admin!);
  const { requests, bids } = countBids(metrics);
  if (bids === 0 || bids < requests) throw new Error(`only ${bids} of ${requests} requests ended with a bid`);
  if (metrics.get('exchange_limit_mode{mode="redis"}') !== 1) throw new Error('rate limits are not decided in Redis');
  return requests;
}

/** The number of requests whose client waited (wrk leaves at the end of a round), and of those that ended with a bid. */
export const countBids = (metrics: Metrics): { requests: number; bids: number } => ({
  requests:
    sumOf(metrics, /^exchange_request_duration_seconds_count/) -
    sumOf(metrics, /^exchange_errors_total\{code="CLIENT_CLOSED_REQUEST"/),
  bids: sumOf(metrics, /^exchange_request_duration_seconds_count\{.*outcome="bid"/),
});
