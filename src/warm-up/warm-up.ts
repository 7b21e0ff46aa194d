/** Exercises the server of a worker before it takes traffic, so that its first callers do not wait for compilation. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { createCappedLog } from '../observe/capped-log.ts';
import { createLogger, type Logger } from '../observe/logger.ts';
import { createExchangeMetrics } from '../observe/metrics.ts';
import { Recorder } from '../observe/recorder.ts';
import type { BidPipeline, SwappablePipeline } from './swappable-pipeline.ts';
import { createSyntheticPartners, syntheticPartners } from './synthetic-demand.ts';
import { syntheticRequests } from './synthetic-requests.ts';
import { WarmConnection } from './warm-connection.ts';
import { createWarmLimiter } from './warm-limiter.ts';

/** Parts whose effects nobody sees: no bucket of a caller, no metric, no log line. */
export type WarmParts = ReturnType<typeof createParts>;

export interface WarmUpBounds {
  maxMs: number;
  maxRequests: number;
  /** The warm-up fails if a response takes longer. */
  responseTimeoutMs: number;
}

/** More requests or a longer time do not make the first second faster; the start would wait for them. */
const defaultBounds: WarmUpBounds = { maxMs: 1_000, maxRequests: 2_000, responseTimeoutMs: 5_000 };

const connections = 8;
/** The first snapshots of the metrics would delay the first requests. */
const scrapes = 5;
/** One request of this many opens a new connection. */
const requestsPerConnection = 20;
const host = '127.0.0.1';
/** The log line is written for one response of ten. */
const logSample = 0.1;

/**
 * Sends synthetic requests to the server that will serve, while `swappable` uses parts of the warm-up. Never fails: a worker
 * that could not be warmed serves all the same. Resolves with the number of responses.
 */
export async function warmUp(
  config: Config,
  server: Server,
  swappable: SwappablePipeline,
  createPipeline: (config: Config, parts: WarmParts) => BidPipeline,
  logger: Logger,
  bounds = defaultBounds,
): Promise<number> {
  const real = swappable.current();
  const partnerServer = createSyntheticPartners();
  const sockets = new Set<Socket>();
  const loopbackServer = createNetServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    server.emit('connection', socket);
  });
  const parts = createParts(config);
  const auctions = new Set<Promise<unknown>>();
  try {
    const partners = syntheticPartners(`http://${host}:${await listen(partnerServer)}/`);
    const { handleBidRequest, ...rest } = createPipeline({ ...config, partners, logSample }, parts);
    swappable.use({
      ...rest,
      handleBidRequest: (body, arrivedAtMs) => {
        const auction = handleBidRequest(body, arrivedAtMs); // untraced
        auctions.add(auction);
        return auction.finally(() => auctions.delete(auction));
      },
    });
    const sent = await sendAll(await listen(loopbackServer), bounds);
    for (let scrape = 0; scrape < scrapes; scrape++) await parts.metrics.register.getMetricsAsJSON();
    return sent;
  } catch (error) {
    logger.warn({ err: error }, 'warm-up failed');
    return 0;
  } finally {
    // After a failure, requests may be in progress: they must end before the parts that serve are in use.
    partnerServer.close().closeAllConnections();
    await closeAll(loopbackServer, sockets);
    await Promise.allSettled(auctions);
    for (let turn = 0; turn < 3; turn++) await nextTurn(); // requests that wait see that their clients have left
    swappable.use(real);
    parts.limiter.close();
  }
}

async function closeAll(loopbackServer: NetServer, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = once(loopbackServer, 'close');
  loopbackServer.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}

function createParts({ logLevel }: Config) {
  const logger = createLogger(logLevel, { write: () => {} });
  const metrics = createExchangeMetrics();
  return {
    metrics,
    limiter: createWarmLimiter(),
    recorder: new Recorder(metrics),
    logger,
    capped: createCappedLog(logger, 1_000, () => performance.now()),
  };
}

/** `exclusive`: the primary must not take part, or it would count the worker as listening. */
async function listen(server: NetServer): Promise<number> {
  server.listen({ port: 0, host, exclusive: true });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function sendAll(port: number, { maxMs, maxRequests, responseTimeoutMs }: WarmUpBounds): Promise<number> {
  const endAtMs = performance.now() + maxMs;
  let sent = 0;
  const run = async () => {
    while (sent < maxRequests && performance.now() < endAtMs) {
      const connection = await WarmConnection.open(port, host, responseTimeoutMs);
      for (let left = requestsPerConnection; left > 0 && sent < maxRequests && performance.now() < endAtMs; left--)
        await connection.send(syntheticRequests[sent++ % syntheticRequests.length]!);
      connection.close();
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: connections }, run)); // no request may outlast the warm-up
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return sent;
}
