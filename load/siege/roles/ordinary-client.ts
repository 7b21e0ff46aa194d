/** A role: the ordinary client. It sends at a fixed rate and counts latency from the time a request was due. */
import { ordinary, ordinaryAddresses, steadySeat, warmUp } from '../settings.ts';
import { ordinaryBody } from '../traffic/bid-request.ts';
import { ConnectionPool, type SendResult } from '../traffic/connection-pool.ts';
import { post } from '../traffic/http-request.ts';
import { serveRole } from './role.ts';

export interface ClientCommand {
  seconds: number;
  perSecond: number;
}

export interface ClientReport {
  sent: number;
  /** Responses 200 and 204. */
  succeeded: number;
  /** Responses with a bid of the steady partner. */
  withSteadyBid: number;
  /** By status, or by the reason why there is no response. */
  failures: Record<string, number>;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  maxMs: number;
  /** How late this process sent its requests: a part of the latencies that is not the exchange's. */
  sendDelayP99Ms: number;
}

const maxConnections = 100;
const tickMs = 1;
const steadyMember = `"seat":"${steadySeat}"`;

const port = Number(process.argv[2]);
const requests = Array.from({ length: 600 }, (_, index) => post(ordinaryBody(index)));
const pools = ordinaryAddresses(Math.max(ordinary.perSecond, warmUp.perSecond)).map(
  (localAddress) =>
    new ConnectionPool({ port, localAddress, maxConnections, timeoutMs: ordinary.timeoutMs, keepBodies: true }),
);

class Measurement {
  readonly latenciesMs: number[] = [];
  readonly sendDelaysMs: number[] = [];
  readonly failures: Record<string, number> = {};
  withSteadyBid = 0;
  succeeded = 0;
  readonly #addresses: number;

  constructor(addresses: number) {
    this.#addresses = addresses;
  }

  send(index: number, dueAtMs: number): void {
    const onResult = (result: SendResult) => this.#add(result, performance.now() - dueAtMs);
    const pool = pools[index % this.#addresses]!;
    this.sendDelaysMs.push(performance.now() - dueAtMs);
    if (!pool.send(requests[index % requests.length]!, onResult)) this.#fail('no connection', ordinary.timeoutMs);
  }

  #add(result: SendResult, latencyMs: number): void {
    if (typeof result === 'string') return this.#fail(result, latencyMs);
    if (result.status !== 200 && result.status !== 204) return this.#fail(String(result.status), latencyMs);
    this.latenciesMs.push(latencyMs);
    this.succeeded++;
    if (result.body.includes(steadyMember)) this.withSteadyBid++;
  }

  /** A failure counts as at least the timeout: a quick rejection must not improve the percentiles. */
  #fail(kind: string, latencyMs: number): void {
    this.failures[kind] = (this.failures[kind] ?? 0) + 1;
    this.latenciesMs.push(Math.max(latencyMs, ordinary.timeoutMs));
  }

  report(): ClientReport {
    const { failures, withSteadyBid, succeeded } = this;
    const percentile = percentilesOf(this.latenciesMs);
    return {
      sent: this.latenciesMs.length,
      succeeded,
      withSteadyBid,
      failures,
      p50Ms: percentile(0.5),
      p95Ms: percentile(0.95),
      p99Ms: percentile(0.99),
      maxMs: percentile(1),
      sendDelayP99Ms: percentilesOf(this.sendDelaysMs)(0.99),
    };
  }
}

function percentilesOf(values: readonly number[]): (share: number) => number {
  const sorted = values.toSorted((a, b) => a - b);
  return (share) => sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? 0;
}

/** Resolves when every request has its response or has timed out. */
function measure({ seconds, perSecond }: ClientCommand): Promise<ClientReport> {
  const measurement = new Measurement(ordinaryAddresses(perSecond).length);
  const total = perSecond * seconds;
  const startedAtMs = performance.now();
  const dueAt = (index: number) => startedAtMs + (index * 1_000) / perSecond;
  let sent = 0;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      for (; sent < total && dueAt(sent) <= performance.now(); sent++) measurement.send(sent, dueAt(sent));
      if (measurement.latenciesMs.length < total) return;
      clearInterval(timer);
      resolve(measurement.report());
    }, tickMs);
  });
}

serveRole(measure);
