/**
 * Exercises the pipeline before a worker takes traffic, so that its first callers do not wait for compilation. Node.js
 * compiles functions, not objects: requests through a second pipeline, made by the same functions, warm the first.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { createCappedLog } from '../observe/capped-log.ts';
import { createLogger, type Logger } from '../observe/logger.ts';
import { createExchangeMetrics } from '../observe/metrics.ts';
import { Recorder } from '../observe/recorder.ts';
import { createSyntheticPartner, syntheticPartners } from './synthetic-demand.ts';
import { syntheticRequests } from './synthetic-requests.ts';
import { WarmConnection } from './warm-connection.ts';
import { createWarmLimiter } from './warm-limiter.ts';

/** Parts whose effects nobody sees: no bucket of a caller, no metric, no log line. */
export type WarmParts = ReturnType<typeof createParts>;

export interface WarmUpBounds {
  maxMs: number;
  maxRequests: number;
}

/** More requests or a longer time do not make the first second faster; the start would wait for them. */
export const defaultBounds: WarmUpBounds = { maxMs: 1_000, maxRequests: 2_000 };

const connections = 8;
/** One request of this many opens a new connection. */
const requestsPerConnection = 20;
const host = '127.0.0.1';
/** The log line is written for one response of ten. */
const logSample = 0.1;

/** Never fails: a worker that could not be warmed serves all the same. Resolves with the number of responses. */
export async function warmUp(
  config: Config,
  createServer: (config: Config, parts: WarmParts) => Server,
  logger: Logger,
  bounds = defaultBounds,
): Promise<number> {
  const partner = createSyntheticPartner();
  const parts = createParts(config);
  let server: Server | undefined;
  try {
    const partners = syntheticPartners(`http://${host}:${await listen(partner)}/`);
    server = createServer({ ...config, partners, logSample }, parts);
    return await sendAll(await listen(server), bounds);
  } catch (error) {
    logger.warn({ err: error }, 'warm-up failed');
    return 0;
  } finally {
    parts.limiter.close();
    for (const one of [server, partner]) one?.close().closeAllConnections();
  }
}

function createParts({ logLevel }: Config) {
  const logger = createLogger(logLevel, { write: () => {} });
  return {
    limiter: createWarmLimiter(),
    recorder: new Recorder(createExchangeMetrics(new Registry())),
    logger,
    capped: createCappedLog(logger, 1_000, () => performance.now()),
  };
}

/** `exclusive`: the primary must not take part, or it would count the worker as listening. */
async function listen(server: Server): Promise<number> {
  server.listen({ port: 0, host, exclusive: true });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function sendAll(port: number, { maxMs, maxRequests }: WarmUpBounds): Promise<number> {
  const endAtMs = performance.now() + maxMs;
  let sent = 0;
  const run = async () => {
    while (sent < maxRequests && performance.now() < endAtMs) {
      const connection = await WarmConnection.open(port, host);
      for (let left = requestsPerConnection; left > 0 && sent < maxRequests && performance.now() < endAtMs; left--)
        await connection.send(syntheticRequests[sent++ % syntheticRequests.length]!);
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, run));
  return sent;
}
