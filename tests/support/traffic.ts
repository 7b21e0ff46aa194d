/** Concurrent clients that post bid requests over keep-alive connections until they are stopped. */
import { Agent, request } from 'node:http';
import { fullRequest } from './full-request.ts';
import { until } from './until.ts';

export interface TrafficResponse {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
}

/** Longer than clients should wait: other tests run at the same time. */
const timeoutMs = 10_000;

const body = JSON.stringify(fullRequest);

/** A request that got no response. */
export interface Failure {
  code: string | undefined;
  /** Whether the request used a connection that had been used before. */
  reused: boolean;
}

/** Posts one request, over a new connection unless an agent is given; rejects with a Failure. */
export function post(endpoint: string, address: string, agent: Agent | false = false): Promise<TrafficResponse> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const call = request(endpoint, { method: 'POST', headers, agent }, (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode!, headers: response.headers }));
      response.on('error', fail);
    });
    const fail = ({ code }: NodeJS.ErrnoException) => reject({ code, reused: call.reusedSocket } satisfies Failure);
    call.setTimeout(timeoutMs, () => call.destroy(Object.assign(new Error('no response'), { code: 'ETIMEDOUT' })));
    call.on('error', fail).end(body);
  });
}

/** Pause of a client between two requests, so that the clients leave the processor to the exchange. */
const pauseMs = 20;

export class Traffic {
  readonly statuses: number[] = [];
  readonly failures: Failure[] = [];
  readonly #clients: Promise<void>[];
  readonly #agent: Agent;
  #stopped = false;

  constructor(endpoint: string, clients: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: clients });
    this.#clients = Array.from({ length: clients }, (_, client) => this.#run(endpoint, `198.51.100.${client}`));
  }

  /** Resolves after this many more responses. */
  async waitForResponses(count: number): Promise<void> {
    const target = this.statuses.length + count;
    await until(`${count} more responses have arrived`, () => this.statuses.length >= target);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
    this.#agent.destroy();
  }

  async #run(endpoint: string, address: string): Promise<void> {
    while (!this.#stopped) {
      try {
        this.statuses.push((await post(endpoint, address, this.#agent)).status);
      } catch (error) {
        this.failures.push(error as Failure);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
