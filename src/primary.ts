/** The primary: the one process that watches over the workers and keeps what they share. */
import type { Server } from 'node:http';
import type { Config } from './config/config.ts';
import { BadConfiguration } from './config/problems.ts';
import { readConfig } from './config/read-config.ts';
import { createAdminServer, listen } from './fleet/admin-server.ts';
import { onSignalToEnd } from './fleet/termination-signals.ts';
import { Fleet } from './fleet/fleet.ts';
import { MetricsPoll } from './fleet/metrics-poll.ts';
import { startSandbox } from './fleet/sandbox-process.ts';
import { epochMicros } from './limits/clocks.ts';
import { Heartbeat } from './limits/heartbeat.ts';
import { EmbeddedBucketServer } from './limits/embedded-buckets.ts';
import { connectToRedis } from './limits/redis-connection.ts';
import { FleetMetrics } from './observe/fleet-metrics.ts';
import { createLogger, type Logger } from './observe/logger.ts';
import { readLatencies } from './observe/slo.ts';
import { SloWindow } from './observe/slo-window.ts';

/** How often the workers are asked for their metrics, whoever reads them. */
const pollEveryMs = 5_000;
/** Over how long the targets are judged. */
const sloWindowMs = 60_000;

export async function runPrimary(first: Config): Promise<void> {
  const logger = createLogger(first.logLevel);
  const keeper = new EmbeddedBucketServer(first.limits, epochMicros);
  const sandboxPartners = first.partners ? undefined : await startSandbox();
  const complete = (read: Config): Config => ({ ...read, partners: read.partners ?? sandboxPartners });
  let config = complete(first);
  let allWorkers = first.workers;
  let started = false;

  const fleet = new Fleet({
    size: first.workers,
    drainMs: first.drainMs,
    logger,
    startMessage: (slot) => ({ kind: 'start', config, workers: allWorkers, slot }),
    answer: (message, id) => (message.kind === 'bucket-request' ? keeper.handle(message) : poll.hear(id, message)),
    onGone: (worker, unasked) => void poll.gone(worker, unasked),
    onCrashLoop: () => void end('workers keep dying', 1),
  });
  const metrics = new FleetMetrics(() => fleet.ready, first.redisUrl === undefined ? 'embedded' : 'redis');
  const poll = new MetricsPoll(fleet, metrics);
  const heartbeat = createHeartbeat(first, (workers) => {
    allWorkers = workers;
    logger.info({ workers }, 'workers on all machines');
    fleet.broadcast({ kind: 'workers', workers });
  });
  const end = async (cause: string, code: number) => {
    if (fleet.ending) return;
    logger.info({ cause }, 'ending');
    await fleet.drain();
    await heartbeat?.close();
    process.exit(code);
  };
  onSignals(end, () => {
    if (!started) return;
    const old = config;
    config = complete(readAgain(config, logger));
    void fleet.roll().then((isDone) => {
      if (!isDone) config = old; // those that are replaced later shall not meet what stopped these
    });
  });

  try {
    const admin = createAdmin(fleet, poll, metrics, () => started);
    const adminPort = await listen(admin, first.admin.port, first.admin.host);
    const port = await fleet.start();
    started = true;
    process.stdout.write(`${readyLine(first, port, adminPort)}\n`);
  } catch (error) {
    if (!fleet.ending) logger.error({ err: error }, 'could not start');
    await end('could not start', 1);
  }
}

function onSignals(end: (cause: string, code: number) => Promise<void>, roll: () => void): void {
  onSignalToEnd((signal) => void end(signal, 0));
  process.on('SIGHUP', roll);
}

function createAdmin(fleet: Fleet, poll: MetricsPoll, metrics: FleetMetrics, isStarted: () => boolean): Server {
  const slo = new SloWindow(sloWindowMs, performance.now());
  const latencies = async () => {
    await poll.refresh();
    return readLatencies(await metrics.summed(), performance.now());
  };
  setInterval(() => void latencies().then((counts) => slo.add(counts)), pollEveryMs).unref();
  return createAdminServer({
    '/healthz': () => health(fleet.alive > 0, fleet.alive),
    '/readyz': () => health(isStarted() && !fleet.ending && fleet.ready > 0, fleet.ready),
    '/metrics': async () => {
      await poll.refresh();
      return { status: 200, body: await metrics.text() };
    },
    '/slo': async () => ({ status: 200, body: slo.judge(await latencies()) }),
  });
}

function createHeartbeat({ redisUrl, workers }: Config, onWorkers: (total: number) => void): Heartbeat | undefined {
  if (redisUrl === undefined) return undefined;
  return new Heartbeat(
    connectToRedis(redisUrl, () => {}),
    workers,
    onWorkers,
    () => performance.now(),
  );
}

const health = (good: boolean, workers: number) => ({ status: good ? 200 : 503, body: { ok: good, workers } });

/** For a rolling restart: what the partners file says now, or the old configuration where that cannot be used. */
function readAgain(old: Config, logger: Logger): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof BadConfiguration)) throw error;
    logger.error({ problems: error.problems }, 'the configuration cannot be used; the old one stays');
    return old;
  }
}

function readyLine({ endpoint, admin, workers, redisUrl, partners }: Config, port: number, adminPort: number): string {
  const url = (host: string, at: number) => `http://${reachable(host)}:${at}`;
  return [
    'gavel ready',
    `endpoint=${url(endpoint.host, port)}/openrtb2`,
    `admin=${url(admin.host, adminPort)}`,
    `workers=${workers}`,
    `limits=${redisUrl === undefined ? 'embedded' : 'redis'}`,
    `demand=${partners ? 'file' : 'sandbox'}`,
  ].join(' ');
}

/** An address that listens everywhere is reached at the loopback; IPv6 goes in brackets. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
