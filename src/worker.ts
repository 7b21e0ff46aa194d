/** A worker: the one place where the parts of the exchange are made and wired together. */
import { createRunAuction } from './auction/run-auction.ts';
import type { Config } from './config/config.ts';
import { createPartners } from './demand/create-partners.ts';
import { createHandleBidRequest, type HandleBidRequest } from './exchange/handle-bid-request.ts';
import { flushToPrimary, PrimaryChannel, sendToPrimary } from './fleet/primary-channel.ts';
import { createApp } from './http/app.ts';
import { drain } from './http/drain.ts';
import { createRequestObserver } from './http/observe-requests.ts';
import { createHttpServer } from './http/server.ts';
import { clocks } from './limits/clocks.ts';
import { EmbeddedBucketClient } from './limits/embedded-buckets.ts';
import { RedisBuckets } from './limits/redis-buckets.ts';
import { connectToRedis, untilConnected } from './limits/redis-connection.ts';
import { SharedRateLimiter } from './limits/shared-rate-limiter.ts';
import { errorTable } from './http/http-errors.ts';
import { createCappedLog } from './observe/capped-log.ts';
import { createMetrics } from './observe/metrics.ts';
import { createLogger, type Logger } from './observe/logger.ts';
import { Recorder } from './observe/recorder.ts';
import { createRequestLog } from './observe/request-log.ts';
import { warningCodes } from './privacy/warnings.ts';

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
  const channel = new PrimaryChannel();
  const { config, workers, slot } = await channel.start();
  const logger = createLogger(config.logLevel);
  const catalogue = createMetrics();
  const recorder = new Recorder(catalogue);
  const primaryBuckets = new EmbeddedBucketClient(sendToPrimary);
  const limiter = await createLimiter(config, workers, primaryBuckets, recorder, logger);
  const requestLog = createRequestLog({ logger, sample: config.logSample, nowMs, random: Math.random });
  const observer = createRequestObserver({
    recorder,
    requestLog,
    onDefect: (requestId, thrown) => logger.error({ requestId, err: thrown }, 'a request met a defect'),
    nowMs,
  });
  let draining = false;
  const app = createApp({
    limiter,
    handleBidRequest: createExchange(config, slot, recorder, logger),
    trustProxy: config.trustProxy,
    reading: { maxBytes: maxBodyBytes, timeoutMs: bodyTimeoutMs },
    load: { handling: mostHandled, perAddress: Math.max(config.limits.ip, leastPerAddress) },
    isDraining: () => draining,
    observer,
  });
  const server = createHttpServer({ app, limiter, timeouts, observer });

  const tellMetrics = async () =>
    flushToPrimary({ kind: 'metrics-response', snapshot: await catalogue.register.getMetricsAsJSON() });
  const end = async () => {
    if (draining) return;
    draining = true;
    await drain(server, config.drainMs);
    await tellMetrics(); // what it counted last is counted too
    process.exit(0);
  };
  channel.listen((message) => {
    if (message.kind === 'bucket-response') primaryBuckets.receive(message);
    else if (message.kind === 'metrics-request') void tellMetrics();
    else if (message.kind === 'workers') limiter.setWorkers(message.workers);
    else if (message.kind === 'drain') void end();
  });
  process.on('SIGTERM', () => void end());
  process.on('disconnect', () => void end());
  server.once('error', ({ message }) => {
    logger.error({ reason: message }, 'cannot listen');
    process.exit(1);
  });
  server.listen(config.endpoint.port, config.endpoint.host);
}

/** Signals of the terminal go to the whole group; what is to be done about them the primary says. */
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});

const nowMs = (): number => performance.now();

function createExchange(config: Config, slot: number, recorder: Recorder, logger: Logger): HandleBidRequest {
  const capped = createCappedLog(logger, cappedEveryMs, nowMs);
  const partners = createPartners(config.partners ?? [], {
    workers: config.workers,
    slot,
    nowMs,
    onBreaker: (partner, state) => {
      recorder.breaker(partner, state);
      logger.warn({ partner, state }, 'partner breaker');
    },
    onDefect: (partner, thrown) => logger.error({ partner, err: thrown }, 'an adapter met a defect'),
    onIgnoredParam: (partner, part) => capped.warn(`${partner} ${part}`, { partner, part }, 'left out of a call'),
  });
  recorder.prime(
    Object.values(errorTable).map(({ code }) => code),
    warningCodes,
    partners.map(({ name }) => name),
  );
  return createHandleBidRequest({
    runAuction: createRunAuction(partners, nowMs, recorder),
    defaultAuctionType: config.defaultAuctionType,
    budgets: config,
    onWarning: ({ code, field }) => {
      recorder.warning(code);
      capped.warn(code, { field }, 'a request came with a warning');
    },
    onStage: (stage, durationMs) => recorder.stage(stage, durationMs),
    nowMs,
  });
}

async function createLimiter(
  { redisUrl, limits }: Config,
  workers: number,
  primaryBuckets: EmbeddedBucketClient,
  recorder: Recorder,
  logger: Logger,
): Promise<SharedRateLimiter> {
  const onMode = (mode: string, cause?: unknown) => {
    if (process.connected) sendToPrimary({ kind: 'mode', mode });
    if (cause === undefined) logger.info({ mode }, 'limits mode');
    else logger.warn({ mode, err: cause }, 'limits mode');
  };
  const onCall = (durationMs: number) => recorder.limitStore(durationMs);
  const common = { limits, workers, clocks, onMode, onCall };
  if (redisUrl === undefined) return new SharedRateLimiter({ ...common, mode: 'embedded', buckets: primaryBuckets });
  let told = '';
  const redis = connectToRedis(redisUrl, ({ message }) => {
    if (message !== told) logger.warn({ reason: message }, 'Redis cannot be reached');
    told = message; // once, not at every attempt
  });
  await untilConnected(redis, redisWaitMs);
  return new SharedRateLimiter({ ...common, mode: 'redis', buckets: new RedisBuckets(redis, limits) });
}
