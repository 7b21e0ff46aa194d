/** Clients that post bid requests one after the other on connections they keep, until told to stop. */
import { Agent, request } from 'node:http';
import { fullRequest } from './full-request.ts';
import { until } from './until.ts';

export interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
}

/** As long as clients are advised to wait in all. */
const patienceMs = 3_000;

const body = JSON.stringify(fullRequest);

/** A request that got no answer. */
export interface Failure {
  code: string | undefined;
  /** Whether it went on a connection that had served before. */
  reused: boolean;
}

/** One request, on a connection of its own where no agent keeps them; rejects with a Failure. */
export function post(endpoint: string, address: string, agent: Agent | false = false): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const call = request(endpoint, { method: 'POST', headers, agent }, (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode!, headers: response.headers }));
      response.on('error', fail);
    });
    const fail = ({ code }: NodeJS.ErrnoException) => reject({ code, reused: call.reusedSocket } satisfies Failure);
    call.setTimeout(patienceMs, () => call.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
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

  /** Resolves when so many more requests were answered. */
  async more(requests: number): Promise<void> {
    const target = this.statuses.length + requests;
    await until(`${requests} more answers`, () => this.statuses.length >= target);
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
