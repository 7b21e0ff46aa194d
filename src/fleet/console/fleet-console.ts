/** The console in the primary: constructs its parts and passes the replies of the workers on. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { AuctionSample, ErrorCount, LiveSample } from '../../contract/console-api.ts';
import type { ConsoleReply } from '../../observe/console/worker-console.ts';
import type { WorkerCounters } from '../../observe/console/worker-counters.ts';
import type { Logger } from '../../observe/logger.ts';
import type { AdminResponse } from '../admin-response.ts';
import type { AdminConsole, AdminRoute } from '../admin-server.ts';
import type { MessageToPrimary, MessageToWorker } from '../messages.ts';
import { type PolledFleet, WorkerPoll } from '../worker-poll.ts';
import { readAssets } from './assets.ts';
import { AuctionParts } from './auction-parts.ts';
import { ConsoleAccess } from './console-access.ts';
import { createConsoleApi } from './console-api.ts';
import { createConsoleRouter } from './console-router.ts';
import { readExamples } from './examples.ts';
import { FleetErrors } from './fleet-errors.ts';
import { LiveFeed } from './live-feed.ts';
import { LiveSamples } from './live-samples.ts';

export interface FleetConsoleParts {
  admin: { host: string; token: string | undefined };
  expectedWorkers: number;
  fleet: PolledFleet & { readonly ready: number };
  limitMode: () => LiveSample['limitMode'];
  /** The URL of the bidding endpoint; empty until the workers listen. */
  endpoint: () => string;
  logger: Logger;
}

const projectFile = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
/** A worker that does not reply in time is part of the next sample. */
const countersTimeoutMs = 500;
const listsTimeoutMs = 1_000;
/** A worker that crashes takes with it at most the errors of this time. One that drains sends its last counts. */
const errorsIntervalMs = 5_000;

const requestFor = (topic: ConsoleReply['topic']): MessageToWorker => ({ kind: 'console-request', topic });

export class FleetConsole implements AdminConsole {
  readonly #counters: WorkerPoll<WorkerCounters>;
  readonly #auctions: WorkerPoll<AuctionSample[]>;
  readonly #errors: WorkerPoll<ErrorCount[]>;
  readonly #auctionParts = new AuctionParts();
  readonly #samples = new LiveSamples();
  readonly #fleetErrors = new FleetErrors();
  readonly #router: AdminConsole;

  constructor(parts: FleetConsoleParts) {
    const { admin, fleet, endpoint, logger } = parts;
    this.#counters = new WorkerPoll(fleet, requestFor('counters'), countersTimeoutMs);
    this.#auctions = new WorkerPoll(fleet, requestFor('auctions'), listsTimeoutMs);
    this.#errors = new WorkerPoll(fleet, requestFor('errors'), listsTimeoutMs);
    const access = new ConsoleAccess({ ...admin, nowMs: () => performance.now() });
    const onDefect = (defect: unknown) => logger.error({ err: defect }, 'defect in the console');
    const feed = new LiveFeed({ takeSample: () => this.#takeSample(parts), onDefect });
    const api = createConsoleApi({
      access,
      feed,
      auctions: async () => {
        const replies = await this.#auctions.run();
        const missing = fleet.readyIds.filter((worker) => !replies.has(worker));
        return { samples: replies.values(), missingWorkers: missing.length };
      },
      errors: async () => {
        await this.#errors.run();
        return this.#fleetErrors.all();
      },
      examples: readExamples(),
      endpoint,
      version: readVersion(),
    });
    this.#router = createConsoleRouter({ access, api, assets: readAssets(projectFile('dist/console')) });
    if (access.offReason !== undefined) {
      logger.warn({}, access.offReason);
      return;
    }
    feed.start();
    setInterval(() => void this.#errors.run().catch(onDefect), errorsIntervalMs).unref();
  }

  get path(): string {
    return this.#router.path;
  }

  route(request: IncomingMessage): AdminRoute | AdminResponse | undefined {
    return this.#router.route(request);
  }

  receive(worker: number, message: MessageToPrimary): void {
    if (message.kind !== 'console-response') return;
    const { reply } = message;
    if (reply.topic === 'counters') this.#counters.receive(worker, reply.value);
    else if (reply.topic === 'auctions') {
      const samples = this.#auctionParts.add(worker, reply.value, reply.partsLeft);
      if (samples) this.#auctions.receive(worker, samples);
    } else {
      this.#errors.receive(worker, reply.value);
      this.#fleetErrors.set(worker, reply.value);
    }
  }

  /** The worker has exited. */
  forget(worker: number): void {
    this.#auctionParts.forget(worker);
    for (const poll of [this.#counters, this.#auctions, this.#errors]) poll.forget(worker);
    this.#samples.forget(worker);
    this.#fleetErrors.retire(worker);
  }

  async #takeSample({ fleet, expectedWorkers, limitMode }: FleetConsoleParts): Promise<LiveSample> {
    const counters = await this.#counters.run();
    const workers = { ready: fleet.ready, expected: expectedWorkers };
    return this.#samples.next(counters, Date.now(), { workers, limitMode: limitMode() });
  }
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string };
  return version;
}
