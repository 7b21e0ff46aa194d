/** Offers requests at fixed times through the load balancer and counts what was admitted, in total and per bucket. */
import { setTimeout as sleep } from 'node:timers/promises';
import { benchRequest } from '../bench/traffic/requests.ts';
import { ConnectionPool, type SendResult } from '../siege/traffic/connection-pool.ts';
import { post } from '../siege/traffic/http-request.ts';
import { ports } from './settings.ts';

export interface OfferedRequest {
  bytes: Buffer;
  /** The number of the bucket that is meant to limit it. */
  bucket: number;
}

export interface OfferedBucket {
  admitted: number;
  /** When its requests were sent, in milliseconds since the first of all. */
  sentAtMs: number[];
}

export interface Offered {
  sent: number;
  /** 200 or 204. */
  admitted: number;
  /** 429. */
  rejected: number;
  /** Neither: another status, or no response. */
  failed: number;
  /** Of the failed ones: how many per status, or `closed` and `timeout`. */
  failures: Map<string, number>;
  buckets: OfferedBucket[];
  /** From the first request sent to the last response received. */
  seconds: number;
  longestMs: number;
}

const connections = 128;
const timeoutMs = 5_000;

export const toRequest = (number: number, address: string, publisher: number, bucket: number): OfferedRequest => ({
  bytes: post(JSON.stringify(benchRequest(number, publisher)), [`X-Forwarded-For: ${address}`]),
  bucket,
});

/** In the order of the list, again and again. */
export async function offer(requests: readonly OfferedRequest[], perSecond: number, seconds: number): Promise<Offered> {
  return new Generator(requests).run(perSecond, seconds);
}

class Generator {
  readonly #requests: readonly OfferedRequest[];
  readonly #pool = new ConnectionPool({
    port: ports.loadBalancer,
    localAddress: '127.0.0.1',
    maxConnections: connections,
    timeoutMs,
  });
  readonly #offered: Offered;
  #completed = 0;
  #startedAtMs = 0;

  constructor(requests: readonly OfferedRequest[]) {
    this.#requests = requests;
    const count = 1 + Math.max(...requests.map(({ bucket }) => bucket));
    const buckets = Array.from({ length: count }, (): OfferedBucket => ({ admitted: 0, sentAtMs: [] }));
    const counts = { sent: 0, admitted: 0, rejected: 0, failed: 0 };
    this.#offered = { ...counts, failures: new Map(), buckets, seconds: 0, longestMs: 0 };
  }

  async run(perSecond: number, seconds: number): Promise<Offered> {
    this.#startedAtMs = performance.now();
    const total = Math.round(perSecond * seconds);
    while (this.#offered.sent < total) {
      const due = Math.min((this.#nowMs() * perSecond) / 1_000, total);
      while (this.#offered.sent < due && this.#send()); // without a free connection the rest is sent later
      await sleep(1);
    }
    while (this.#completed < total) await sleep(1);
    this.#offered.seconds = this.#nowMs() / 1_000;
    this.#pool.close();
    return this.#offered;
  }

  #send(): boolean {
    const request = this.#requests[this.#offered.sent % this.#requests.length]!;
    const bucket = this.#offered.buckets[request.bucket]!;
    const sentAtMs = this.#nowMs();
    if (!this.#pool.send(request.bytes, (result) => this.#count(result, bucket, sentAtMs))) return false;
    this.#offered.sent++;
    bucket.sentAtMs.push(sentAtMs);
    return true;
  }

  #count(result: SendResult, bucket: OfferedBucket, sentAtMs: number): void {
    this.#completed++;
    this.#offered.longestMs = Math.max(this.#offered.longestMs, this.#nowMs() - sentAtMs);
    const status = String(typeof result === 'string' ? result : result.status);
    if (status === '200' || status === '204') {
      this.#offered.admitted++;
      bucket.admitted++;
    } else if (status === '429') this.#offered.rejected++;
    else {
      this.#offered.failed++;
      this.#offered.failures.set(status, (this.#offered.failures.get(status) ?? 0) + 1);
    }
  }

  /** Since the start. */
  #nowMs(): number {
    return performance.now() - this.#startedAtMs;
  }
}
