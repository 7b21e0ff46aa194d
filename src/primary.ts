/** The primary process: supervises the workers, holds the embedded token buckets, runs the admin server. */
import { type Config, readConfig } from './config/config.ts';
import { ConfigError } from './config/config-error.ts';
import type { ServerUrls } from './fleet/console/open-api.ts';
import { createAdmin } from './fleet/create-admin.ts';
import { FleetConsole } from './fleet/console/fleet-console.ts';
import { exitInTime } from './fleet/exit-in-time.ts';
import { Fleet } from './fleet/fleet.ts';
import { limitDivisor } from './fleet/limit-divisor.ts';
import { checkAddress, listen, ListenError } from './fleet/listen.ts';
import type { MessageToPrimary, MessageToWorker } from './fleet/messages.ts';
import { MetricsPoller } from './fleet/metrics-poller.ts';
import { RatesWatcher } from './fleet/rates-watcher.ts';
import { readyLine } from './fleet/ready-line.ts';
import { startSandbox } from './fleet/sandbox-process.ts';
import { onSignals } from './fleet/signals.ts';
import { urlOf } from './format/url-of.ts';
import { epochMicros } from './limits/clocks.ts';
import { EmbeddedBucketServer } from './limits/embedded-buckets.ts';
import { connectToRedis } from './limits/redis-connection.ts';
import { WorkerRegistry } from './limits/worker-registry.ts';
import { FleetMetrics } from './observe/fleet-metrics.ts';
import { createLogger, type Logger } from './observe/logger.ts';
import { createRatesMetrics } from './observe/rates-metrics.ts';
import { stderr, stdout } from './observe/standard-streams.ts';
import { createSupervisionMetrics, type SupervisionMetrics } from './observe/supervision-metrics.ts';

/** A change of the rates file is in use within 5 s. */
const ratesPollIntervalMs = 2_000;

export async function runPrimary(config: Config): Promise<void> {
  const sandboxPartners = config.partners ? undefined : await startSandbox();
  const primary = new Primary(config, sandboxPartners);
  onSignals({
    terminate: (signal) => void primary.shutDown(signal, 0),
    reload: () => primary.reload(),
    reopenAuctionLog: () => primary.reopenAuctionLog(),
  });
  await primary.start();
}

class Primary {
  readonly #initialConfig: Config;
  readonly #sandboxPartners: Config['partners'];
  readonly #logger: Logger;
  readonly #bucketServer: EmbeddedBucketServer;
  readonly #fleet: Fleet;
  readonly #metrics: FleetMetrics;
  readonly #supervision: SupervisionMetrics;
  readonly #poller: MetricsPoller;
  readonly #console: FleetConsole;
  readonly #workerRegistry: WorkerRegistry | undefined;
  readonly #ratesWatcher: RatesWatcher | undefined;
  /** For new workers; a reload replaces it. */
  #config: Config;
  /** On all machines. */
  #totalWorkers: number;
  #started = false;
  readonly #listening = Promise.withResolvers<void>();
  /** Settles when the latest reload has ended; at first, when the workers listen. */
  #reloaded: Promise<void> = this.#listening.promise;
  #isReloadDue = false;
  /** Known once the workers listen. */
  #urls: ServerUrls | undefined;

  constructor(config: Config, sandboxPartners: Config['partners']) {
    this.#initialConfig = config;
    this.#sandboxPartners = sandboxPartners;
    this.#config = this.#withSandbox(config);
    this.#totalWorkers = expectedWorkers(config);
    this.#logger = createLogger(config.logLevel);
    this.#bucketServer = new EmbeddedBucketServer(epochMicros);
    const supervision = createSupervisionMetrics();
    this.#supervision = supervision;
    this.#fleet = new Fleet({
      size: config.workers,
      drainMs: config.drainMs,
      logger: this.#logger,
      startMessage: (workerIndex) => ({
        kind: 'start',
        config: this.#currentConfig(),
        totalWorkers: this.#totalWorkers,
        workerIndex,
      }),
      onMessage: (message, worker) => this.#receive(message, worker),
      onWorkerExit: (worker, unexpected) => {
        this.#console.forget(worker);
        logFailure(this.#poller.onWorkerExit(worker, unexpected), this.#logger);
      },
      onReadyChange: () => this.#shareLimits(),
      onReplacement: (reason) => supervision.countReplacement(reason),
      onStall: (stalledMs) => supervision.countStall(stalledMs),
      onCrashLoop: () => void this.shutDown('worker crash loop', 1),
    });
    this.#metrics = new FleetMetrics(() => this.#fleet.ready, config.workers, config.redis ? 'redis' : 'embedded');
    this.#metrics.add(supervision.all);
    this.#poller = new MetricsPoller(this.#fleet, this.#metrics);
    this.#console = new FleetConsole({
      admin: config.admin,
      expectedWorkers: config.workers,
      fleet: this.#fleet,
      limitMode: () => this.#metrics.mode,
      endpoint: () => (this.#urls ? `${this.#urls.bidding}/openrtb2` : ''),
      logger: this.#logger,
    });
    this.#workerRegistry = createWorkerRegistry(config, (total) => this.#setTotalWorkers(total));
    this.#ratesWatcher = config.rates && watchRates(config.rates, this.#fleet, this.#metrics, this.#logger);
  }

  async start(): Promise<void> {
    const { admin, endpoint, redisRequired } = this.#initialConfig;
    try {
      const adminServer = createAdmin({
        fleet: this.#fleet,
        poller: this.#poller,
        metrics: this.#metrics,
        adminConsole: this.#console,
        hasStarted: () => this.#started,
        lacksRedis: () => redisRequired && this.#metrics.isDegraded,
        urls: () => this.#urls,
        onFailure: (work) => logFailure(work, this.#logger),
      });
      const adminPort = await listen(adminServer, { ...admin, variable: 'ADMIN_PORT' });
      await checkAddress({ ...endpoint, variable: 'PORT' });
      const port = await this.#fleet.start();
      this.#urls = { bidding: urlOf(endpoint.host, port), admin: urlOf(admin.host, adminPort) };
      this.#started = true;
      this.#listening.resolve();
      this.#shareLimits();
      stdout.write(`${readyLine(this.#initialConfig, port, adminPort)}\n`);
    } catch (error) {
      if (error instanceof ListenError) this.#exitWithoutAddress(error);
      if (!this.#fleet.isDraining) this.#logger.error({ err: error }, 'startup failed');
      await this.shutDown('startup failed', 1);
    }
  }

  /** Reads the configuration again and replaces the workers one by one, after the start and one reload at a time. */
  reload(): void {
    if (this.#isReloadDue) return; // it will read the files as they are by then
    this.#isReloadDue = true;
    const reloaded = this.#reloaded.then(() => this.#reload());
    logFailure(reloaded, this.#logger);
    this.#reloaded = reloaded.catch(() => {});
  }

  async #reload(): Promise<void> {
    this.#isReloadDue = false;
    let isSuccessful = false;
    try {
      isSuccessful = await this.#applyConfig();
    } finally {
      this.#supervision.setReload(isSuccessful);
    }
  }

  /** Resolves with false if the configuration is invalid or a new worker does not become ready. */
  async #applyConfig(): Promise<boolean> {
    const previousConfig = this.#config;
    const config = tryToReadConfig(this.#logger);
    if (!config) return false;
    this.#config = this.#withSandbox(config);
    const completed = await this.#fleet.rollingRestart();
    if (!completed) this.#config = previousConfig; // workers forked later must not get the configuration that failed
    return completed;
  }

  /** Called after the operator has renamed the file of the auction log. */
  reopenAuctionLog(): void {
    this.#fleet.broadcast({ kind: 'reopen-auction-log' });
  }

  async shutDown(cause: string, exitCode: number): Promise<void> {
    if (this.#fleet.isDraining) return;
    this.#logger.info({ cause }, 'shutting down');
    await this.#fleet.drain();
    await this.#workerRegistry?.close();
    exitInTime(exitCode);
  }

  /** No worker has been forked yet. */
  #exitWithoutAddress({ message }: ListenError): never {
    stderr.write(`gavel: ${message}\n`);
    exitInTime(1);
  }

  #receive(message: MessageToPrimary, worker: number): MessageToWorker | undefined {
    if (message.kind === 'bucket-request') return this.#bucketServer.handle(message);
    this.#poller.receive(worker, message);
    this.#console.receive(worker, message);
    return undefined;
  }

  #setTotalWorkers(workers: number): void {
    this.#totalWorkers = workers;
    this.#logger.info({ workers }, 'number of workers on all machines changed');
    this.#shareLimits();
  }

  /** The ready workers share the limits of this machine in degraded mode. */
  #shareLimits(): void {
    if (!this.#started || this.#fleet.isDraining) return; // a starting worker has its number from its first message
    const divisor = limitDivisor(this.#totalWorkers, this.#fleet.ready, this.#initialConfig.workers);
    this.#fleet.broadcast({ kind: 'limit-divisor', divisor });
  }

  /** The configuration with the current exchange rates. */
  #currentConfig(): Config {
    const { rates } = this.#config;
    if (!rates || !this.#ratesWatcher) return this.#config;
    return { ...this.#config, rates: { ...rates, table: this.#ratesWatcher.current } };
  }

  #withSandbox(config: Config): Config {
    return { ...config, partners: config.partners ?? this.#sandboxPartners };
  }
}

/** Workers get the rates when they start, and when the file changes. */
function watchRates(
  { file, table }: NonNullable<Config['rates']>,
  fleet: Fleet,
  metrics: FleetMetrics,
  logger: Logger,
): RatesWatcher {
  const watcher = new RatesWatcher(file, table, {
    onRates: (changed) => {
      fleet.broadcast({ kind: 'rates', table: changed });
      logger.info({ asOf: new Date(changed.asOfMs) }, 'exchange rates changed');
    },
    onProblems: (problems) => {
      ratesMetrics.countError();
      logger.error({ problems }, 'rates file rejected; keeping the last valid rates');
    },
  });
  const ratesMetrics = createRatesMetrics(() => watcher.current.asOfMs, Date.now);
  metrics.add(ratesMetrics.all);
  setInterval(() => watcher.check(), ratesPollIntervalMs).unref();
  return watcher;
}

/** A failure of background work must not end the primary. */
function logFailure(work: Promise<unknown>, logger: Logger): void {
  work.catch((error: unknown) => logger.error({ err: error }, 'defect in the primary'));
}

/** On all machines, until the registry has counted them. Machines without Redis do not share limits. */
const expectedWorkers = ({ redis, workers, instances }: Config): number => (redis ? workers * instances : workers);

function createWorkerRegistry(config: Config, onWorkers: (total: number) => void): WorkerRegistry | undefined {
  if (!config.redis) return undefined;
  return new WorkerRegistry(
    connectToRedis(config.redis, () => {}),
    config.workers,
    expectedWorkers(config),
    onWorkers,
    () => performance.now(),
  );
}

/** Undefined if the configuration is invalid: then nothing changes. */
function tryToReadConfig(logger: Logger): Config | undefined {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    logger.error({ problems: error.problems }, 'configuration reload failed; keeping the current configuration');
    return undefined;
  }
}
