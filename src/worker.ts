/** A worker: the one place where the parts of the exchange are made and wired together. */
import { createRunAuction } from './auction/run-auction.ts';
import type { Config } from './config/config.ts';
import { createPartners } from './demand/create-partners.ts';
import { createHandleBidRequest, type HandleBidRequest } from './exchange/handle-bid-request.ts';
import { Inbox, tellPrimary } from './fleet/inbox.ts';
import { createApp } from './http/app.ts';
import { drain } from './http/drain.ts';
import { createHttpServer } from './http/server.ts';
import { clocks } from './limits/clocks.ts';
import { PrimaryBuckets } from './limits/primary-buckets.ts';
import { RedisBuckets } from './limits/redis-buckets.ts';
import { connectToRedis, untilConnected } from './limits/redis-connection.ts';
import { SharedLimiter } from './limits/shared-limiter.ts';
import { createCappedLog } from './observe/capped-log.ts';
import { createLogger, type Logger } from './observe/logger.ts';

const maxBodyBytes = 256 * 1024;
/** Clients are advised to give up after 3 s in all, so a body that takes longer has nobody waiting for it. */
const bodyTimeoutMs = 3_000;
/** What a worker can have under way before waiting gets longer than callers wait; it answers 503 beyond. */
const mostHandled = 2_000;
/** One address may have as many requests under way as it has tokens, but this many in any case. */
const leastPerAddress = 100;
const timeouts = { headersMs: 3_000, requestMs: 5_000, keepAliveMs: 75_000 };
/** How long a new worker waits for Redis before it takes traffic without it. */
const redisWaitMs = 1_000;
/** What may happen with every request is logged no more often than this. */
const cappedEveryMs = 10_000;

export async function runWorker(): Promise<void> {
  const inbox = new Inbox();
  const { config, workers } = await inbox.start();
  const logger = createLogger(config.logLevel);
  const primaryBuckets = new PrimaryBuckets(tellPrimary);
  const limiter = await createLimiter(config, workers, primaryBuckets, logger);
  let draining = false;
  const app = createApp({
    limiter,
    handleBidRequest: createExchange(config, logger),
    trustProxy: config.trustProxy,
    reading: { maxBytes: maxBodyBytes, timeoutMs: bodyTimeoutMs },
    load: { handling: mostHandled, perAddress: Math.max(config.limits.ip, leastPerAddress) },
    isDraining: () => draining,
    observe: (_outcome, thrown) => {
      if (thrown !== undefined) logger.error({ err: thrown }, 'a request met a defect');
    },
  });
  const server = createHttpServer(app, limiter, timeouts);

  const end = () => {
    if (draining) return;
    draining = true;
    void drain(server, config.drainMs).then(() => process.exit(0));
  };
  inbox.listen((message) => {
    if (message.kind === 'buckets!') primaryBuckets.receive(message);
    else if (message.kind === 'workers') limiter.setWorkers(message.workers);
    else if (message.kind === 'drain') end();
  });
  process.on('SIGTERM', end);
  process.on('disconnect', end);
  server.once('error', ({ message }) => {
    logger.error({ reason: message }, 'cannot listen');
    process.exit(1);
  });
  server.listen(config.endpoint.port, config.endpoint.host);
}

/** Signals of the terminal go to the whole group; what is to be done about them the primary says. */
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});

function createExchange(config: Config, logger: Logger): HandleBidRequest {
  const nowMs = () => performance.now();
  const capped = createCappedLog(logger, cappedEveryMs, nowMs);
  const partners = createPartners(config.partners ?? [], {
    workers: config.workers,
    nowMs,
    onBreaker: (partner, state) => logger.warn({ partner, state }, 'partner breaker'),
    onDefect: (partner, thrown) => logger.error({ partner, err: thrown }, 'an adapter met a defect'),
    onLeftOut: (partner, part) => capped.warn(`${partner} ${part}`, { partner, part }, 'left out of a call'),
  });
  return createHandleBidRequest({
    runAuction: createRunAuction(partners, nowMs, { partner: () => {}, bid: () => {} }),
    defaultAuctionType: config.defaultAuctionType,
    budgets: config,
    onWarning: ({ code, field }) => capped.warn(code, { field }, 'a request came with a warning'),
  });
}

async function createLimiter(
  { redisUrl, limits }: Config,
  workers: number,
  primaryBuckets: PrimaryBuckets,
  logger: Logger,
): Promise<SharedLimiter> {
  const onMode = (mode: string, cause?: unknown) => {
    if (cause === undefined) logger.info({ mode }, 'limits mode');
    else logger.warn({ mode, err: cause }, 'limits mode');
  };
  const common = { limits, workers, clocks, onMode };
  if (redisUrl === undefined) return new SharedLimiter({ ...common, mode: 'embedded', buckets: primaryBuckets });
  let told = '';
  const redis = connectToRedis(redisUrl, ({ message }) => {
    if (message !== told) logger.warn({ reason: message }, 'Redis cannot be reached');
    told = message; // once, not at every attempt
  });
  await untilConnected(redis, redisWaitMs);
  return new SharedLimiter({ ...common, mode: 'redis', buckets: new RedisBuckets(redis, limits) });
}
