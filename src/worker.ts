/** A worker: the one place where the parts of the exchange are made and wired together. */
import type { Server } from 'node:http';
import { createRunAuction } from './auction/run-auction.ts';
import type { Config } from './config/config.ts';
import { createPartner } from './demand/registry.ts';
import { createHandleBidRequest } from './exchange/handle-bid-request.ts';
import { createApp } from './http/app.ts';
import { createHttpServer } from './http/server.ts';
import { BucketEngine } from './limits/bucket-engine.ts';
import type { Limits } from './limits/limiter.ts';
import { createLogger, type Logger } from './observe/logger.ts';

const maxBodyBytes = 256 * 1024;
/** Clients are advised to give up after 3 s in all, so a body that takes longer has nobody waiting for it. */
const bodyTimeoutMs = 3_000;
/** What a worker can have under way before waiting gets longer than callers wait; it answers 503 beyond. */
const maxInFlight = 2_000;
const timeouts = { headersMs: 3_000, requestMs: 5_000, keepAliveMs: 75_000 };

export async function runWorker(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  const server = createServer(config, logger);
  const end = () => server.close(() => process.exit(0));
  process.on('SIGTERM', end);
  process.on('SIGINT', () => {}); // the terminal sends it to the whole group; the primary decides
  process.on('disconnect', end);
  server.listen(config.endpoint.port, config.endpoint.host);
}

export function createServer(config: Config, logger: Logger): Server {
  const runAuction = createRunAuction(config.partners.map(createPartner), () => performance.now());
  const app = createApp({
    limiter: new BucketEngine(shareOf(config.limits, config.workers), () => Math.round(Date.now() * 1000)),
    handleBidRequest: createHandleBidRequest({ runAuction, defaultAuctionType: config.defaultAuctionType }),
    trustProxy: config.trustProxy,
    reading: { maxBytes: maxBodyBytes, timeoutMs: bodyTimeoutMs },
    maxInFlight,
    observe: (_outcome, thrown) => {
      if (thrown !== undefined) logger.error({ err: thrown }, 'a request met a defect');
    },
  });
  return createHttpServer(app, timeouts);
}

/** Each worker holds buckets of its own, of its share of each limit, so that together they keep to it. */
function shareOf({ global, publisher, ip }: Limits, workers: number): Limits {
  const share = (limit: number) => Math.max(1, Math.floor(limit / workers));
  return { global: share(global), publisher: share(publisher), ip: share(ip) };
}
