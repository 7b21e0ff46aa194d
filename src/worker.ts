/** A worker process: constructs the parts of the exchange and wires them together. */
import type { Server } from 'node:http';
import type { Config } from './config/config.ts';
import { maxBodyBytes } from './contract/api-limits.ts';
import { createAuctionLog } from './create-auction-log.ts';
import { createExchange } from './create-exchange.ts';
import { toAuctionLogEntries } from './exchange/auction-log-entry.ts';
import { sendReply } from './fleet/console/send-reply.ts';
import { exitInTime } from './fleet/exit-in-time.ts';
import { flushToPrimary, PrimaryChannel, sendToPrimary } from './fleet/primary-channel.ts';
import { type AppParts, createApp } from './http/app.ts';
import { BodyBuffers } from './http/body-buffers.ts';
import { drain } from './http/drain.ts';
import { createRequestObserver, type LogAuction, type RequestObserver } from './http/request-observer.ts';
import { sampleRequests } from './http/sample-requests.ts';
import { createHttpServer } from './http/server.ts';
import { traceRequests } from './http/trace-requests.ts';
import { causeFields } from './limits/cause-fields.ts';
import { createRateLimiter } from './limits/create-rate-limiter.ts';
import { EmbeddedBucketClient } from './limits/embedded-buckets.ts';
import type { SharedRateLimiter } from './limits/shared-rate-limiter.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';
import type { AuctionLog } from './observe/auction-log.ts';
import { createRates, usdOnly } from './money/rates.ts';
import { type CappedLog, createCappedLog } from './observe/capped-log.ts';
import { createWorkerConsole, type WorkerConsole } from './observe/console/worker-console.ts';
import { InvalidPublishers } from './observe/invalid-publishers.ts';
import { createLogger, type Logger } from './observe/logger.ts';
import { createMetrics, type Metrics } from './observe/metrics.ts';
import { watchOpenFiles } from './observe/open-files.ts';
import { Recorder } from './observe/recorder.ts';
import { createRequestLog } from './observe/request-log.ts';
import { createStateLog } from './observe/state-log.ts';
import { AdmissionControl } from './overload/admission-control.ts';
import { admissionSettings } from './overload/admission-settings.ts';
import { ClientUsage } from './overload/client-usage.ts';
import { EventLoopClock } from './overload/event-loop-clock.ts';
import { Pacer } from './pacing/pacer.ts';
import { directoryOf } from './publishers/publisher-directory.ts';
import { createTracer } from './trace/create-tracer.ts';
import type { Tracer } from './trace/tracer.ts';
import { createSwappable, type BidPipeline } from './warm-up/swappable-pipeline.ts';
import { warmUp } from './warm-up/warm-up.ts';

const transferLimits = {
  body: {
    maxBytes: maxBodyBytes,
    /** Callers are advised to use a total timeout of 3 s: a longer body timeout would serve no caller. */
    timeoutMs: 3_000,
  },
  /** A client has this long to read its response; all clients together may leave this much unread. */
  unread: { timeoutMs: 5_000, maxBytes: 64 * 1024 * 1024 },
};
/** Maximum bytes of request bodies that are incomplete or queued behind an earlier request: 250 bodies of the maximum size. */
const maxBufferedBytes = 64 * 1024 * 1024;
/** Maximum number of requests in progress per worker; further ones get a 503. With more, callers would give up before their response. */
const maxHandling = 2_000;
/** One address may have as many requests in progress as it has tokens, and at least this many. */
const minPerAddress = 100;
/** One address may have ten connections per token, and at least this many, per worker. */
const minConnections = 1_000;
/** A large body or response that has not been processed by then is given up: its auction is over, or nearly. */
const maxTurnWaitMs = 200;
const timeouts = { headersMs: 3_000, requestMs: 5_000, keepAliveMs: 75_000 };
/** A warning that any request can cause is logged at most once per this interval. */
const warnEveryMs = 10_000;
/** Between two lines about the begin or the end of an overload. */
const stateEveryMs = 5_000;

export async function runWorker(): Promise<void> {
  const channel = new PrimaryChannel();
  const pacer = new Pacer(maxTurnWaitMs);
  const { config, totalWorkers, workerIndex } = await channel.start();
  const logger = createLogger(config.logLevel);
  const metrics = createMetrics();
  const recorder = new Recorder(metrics);
  const embeddedBuckets = new EmbeddedBucketClient(sendToPrimary);
  const limiter = await createLimiter(config, totalWorkers, embeddedBuckets, recorder, logger);
  const capped = createCappedLog(logger, warnEveryMs, nowMs);
  const auctionLog = createAuctionLog(config, recorder, logger, capped, { nowMs, schedule });
  const tracer = await createTracer(process.env, capped, (spans, reason) => recorder.spansDropped(spans, reason));
  let rates = config.rates ? createRates(config.rates.table.dollarsPer) : usdOnly;
  let draining = false;
  const createPipeline = (settings: Config, parts: PipelineParts): BidPipeline => ({
    limiter: parts.limiter,
    handleBidRequest: createExchange(settings, { ...parts, workerIndex, pacer, currentRates: () => rates, nowMs }),
    observer: createObserver(settings, parts),
  });
  const publishers = new InvalidPublishers({ register: metrics.register, logger, nowMs });
  const workerConsole = createWorkerConsole(metrics, recorder, nowMs);
  const parts = { limiter, recorder, logger, capped, auctionLog, publishers, tracer, workerConsole };
  const swappable = createSwappable(createPipeline(config, parts));
  const reports = startReports(recorder, logger, capped);
  const isDraining = () => draining;
  const server = createEndpoint(config, { ...swappable.pipeline, ...reports, tracer, pacer, isDraining });

  const shutDown = async () => {
    if (draining) return;
    draining = true;
    const connections = await drain(server, config.drainMs);
    if (connections > 0)
      logger.warn({ connections, drainMs: config.drainMs }, 'drain timed out: connections closed without a response');
    await Promise.all([auctionLog?.close(), tracer?.close(), sendReply(workerConsole, 'errors')]);
    await sendSnapshot(metrics); // the last counts are not lost
    exitInTime(0);
  };
  channel.listen({
    'bucket-response': (message) => embeddedBuckets.receive(message),
    'metrics-request': () => void sendSnapshot(metrics),
    'console-request': ({ topic }) => void sendReply(workerConsole, topic),
    'limit-divisor': ({ divisor }) => limiter.setLimitDivisor(divisor),
    'reopen-auction-log': () => auctionLog?.reopen(),
    rates: ({ table }) => (rates = createRates(table.dollarsPer)),
    drain: () => void shutDown(),
  });
  channel.onStop(() => void shutDown());
  await warmUp(config, server, swappable, createPipeline, logger);
  if (!draining) listen(server, config, logger);
}

async function sendSnapshot({ register }: Metrics): Promise<void> {
  await flushToPrimary({ kind: 'metrics-response', snapshot: await register.getMetricsAsJSON() });
}

interface PipelineParts {
  limiter: RateLimiter;
  recorder: Recorder;
  logger: ReturnType<typeof createLogger>;
  capped: CappedLog;
  auctionLog?: AuctionLog | undefined;
  publishers?: InvalidPublishers;
  tracer?: Tracer | undefined;
  /** Absent during the warm-up. */
  workerConsole?: WorkerConsole;
}

type EndpointParts = Pick<AppParts, 'limiter' | 'handleBidRequest' | 'isDraining' | 'observer' | 'tracer'> & {
  pacer: Pacer;
  onDefect: (defect: unknown, requestId?: string) => void;
  onOverload: (isOverloaded: boolean) => void;
};

function createEndpoint({ trustProxy, limits, ...config }: Config, parts: EndpointParts): Server {
  const publishers = directoryOf(config.publishers);
  const control = new AdmissionControl(admissionSettings);
  const admission = { control, clock: new EventLoopClock(), usage: new ClientUsage() };
  const buffers = new BodyBuffers(maxBufferedBytes);
  const app = createApp({
    ...parts,
    ...transferLimits,
    body: { ...transferLimits.body, buffers },
    admission,
    publishers,
    trustProxy,
    concurrency: { handling: maxHandling, perAddress: Math.max(limits.ip, minPerAddress) },
  });
  return createHttpServer({
    ...parts,
    app,
    publishers,
    admission,
    buffers,
    timeouts,
    addressLimit: limits.ip,
    maxConnectionsPerAddress: Math.max(minConnections, 10 * limits.ip),
  });
}

function listen(server: Server, { endpoint }: Config, logger: Logger): void {
  server.once('error', ({ message }) => {
    logger.error({ reason: message }, 'cannot listen');
    exitInTime(1);
  });
  server.listen(endpoint.port, endpoint.host);
}

/** The terminal signals the whole process group; the primary decides what happens. */
for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2']) process.on(signal, () => {});

const nowMs = (): number => performance.now();

const schedule = (callback: () => void, delayMs: number): void => void setTimeout(callback, delayMs).unref();

function startReports(
  recorder: Recorder,
  logger: Logger,
  capped: CappedLog,
): Pick<EndpointParts, 'onDefect' | 'onOverload'> {
  watchOpenFiles(() => {
    recorder.secondWithoutDescriptor();
    capped.error('EMFILE', {}, 'no file descriptor is left');
  });
  return {
    onDefect: (defect, requestId) => {
      recorder.error('INTERNAL_ERROR');
      capped.error('defect', { requestId, err: defect }, 'internal error that no response reports');
    },
    onOverload: createStateLog({
      write: (isOverloaded, suppressed) =>
        logger.warn({ isOverloaded, suppressed }, isOverloaded ? 'overload began' : 'overload ended'),
      everyMs: stateEveryMs,
      nowMs,
      schedule,
    }),
  };
}

function createObserver({ logSample }: Config, parts: PipelineParts): RequestObserver {
  const { recorder, logger, auctionLog, publishers, tracer, workerConsole } = parts;
  const logAuction: LogAuction | undefined =
    auctionLog &&
    ((auctionId, response, sold) => {
      for (const entry of toAuctionLogEntries(auctionId, Date.now(), response, sold)) auctionLog.add(entry);
    });
  const requestLog = createRequestLog({ logger, sample: logSample, nowMs, random: Math.random });
  const observer = createRequestObserver({ recorder, publishers, requestLog, logAuction, nowMs });
  const sampled = workerConsole ? sampleRequests(observer, workerConsole, nowMs, Date.now) : observer;
  return tracer ? traceRequests(sampled, nowMs) : sampled;
}

async function createLimiter(
  { redis, limits }: Config,
  totalWorkers: number,
  embeddedBuckets: EmbeddedBucketClient,
  recorder: Recorder,
  logger: Logger,
): Promise<SharedRateLimiter> {
  return createRateLimiter({
    redis,
    limits,
    workers: totalWorkers,
    embeddedBuckets,
    onMode: (mode, cause) => {
      if (process.connected) sendToPrimary({ kind: 'mode', mode });
      if (cause === undefined) logger.info({ mode }, 'rate limit mode changed');
      else logger.warn({ mode, ...causeFields(cause) }, 'rate limit mode changed');
    },
    onFurtherCause: (cause) =>
      logger.warn(
        { mode: 'degraded', ...causeFields(cause) },
        'rate limit store is still unavailable, with a new cause',
      ),
    onCall: (durationMs) => recorder.limitStore(durationMs),
    onConnectionError: (reason) => logger.warn({ reason }, 'cannot connect to Redis'),
  });
}
