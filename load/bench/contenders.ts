/** Who is measured against whom, and how each is started. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, start } from './machine/start.ts';
import { readMetrics, sumOf } from './machine/metrics.ts';

export interface Contender {
  name: string;
  start(workers: number): Promise<Running>;
}

/** A script of the folder contenders/. */
export const contender = (name: string, script: string, variables: Record<string, string>): Contender => ({
  name,
  start: (workers) => start(`load/bench/contenders/${script}.ts`, { ...variables, WORKERS: String(workers) }),
});

/** With its limits so high that they admit everything, and everything that is not in `more` as it is by default. */
export function exchange(
  redisUrl: string,
  partners: object,
  folder: string,
  more: Record<string, string> = {},
): Contender {
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
    ...more,
  };
  return {
    name: 'the exchange',
    start: (workers) => start('src/main.ts', { ...variables, WORKERS: String(workers) }),
  };
}

/** Asks the exchange once; the others answer what it answered. Returns the file. */
export async function writeAnswer(gavel: Contender, body: string, folder: string): Promise<string> {
  const running = await gavel.start(1);
  const answer = await fetch(running.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`the exchange answered ${answer.status}: ${text}`);
  const file = join(folder, 'answer.json');
  writeFileSync(file, text);
  await running.end();
  return file;
}

/** Throws where a request did not end with a bid, or Redis was not asked. Returns the number of requests. */
export async function verifyBids(gavel: Running): Promise<number> {
  const metrics = await readMetrics(gavel.admin!);
  const requests = sumOf(metrics, /^exchange_request_duration_seconds_count/);
  const bids = sumOf(metrics, /^exchange_request_duration_seconds_count\{.*outcome="bid"/);
  if (bids === 0 || bids < requests) throw new Error(`of ${requests} requests only ${bids} ended with a bid`);
  if (metrics.get('exchange_limit_mode{mode="redis"}') !== 1) throw new Error('the limits are not kept in Redis');
  return requests;
}
