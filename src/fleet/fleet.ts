/** Supervises the workers of one machine: forks, restarts, replacement of unresponsive workers, rolling restart, drain. */
import cluster, { type Worker } from 'node:cluster';
import { url as inspectorUrl } from 'node:inspector';
import { forwardLines } from '../observe/forward-lines.ts';
import type { Logger } from '../observe/logger.ts';
import { stderr, stdout } from '../observe/standard-streams.ts';
import type { ReplacementReason } from '../observe/supervision-metrics.ts';
import type { MessageToPrimary, MessageToWorker } from './messages.ts';
import { maxDelayMs, RestartBackoff } from './restart-backoff.ts';
import { forkProcess, hasProcess, SpawnError } from './fork-process.ts';
import { workerOptions } from './worker-environment.ts';
import { defaultLiveness, livenessLimits, WorkerLiveness } from './worker-liveness.ts';

interface ManagedWorker {
  worker: Worker;
  state: 'starting' | 'ready' | 'draining';
  forkedAtMs: number;
  /** The index among the workers of this machine, from 0; a replacement has that of the worker before it. */
  workerIndex: number;
  /** Forked by a rolling restart while the old worker still serves; if it fails to start, the restart fails. */
  isRollingReplacement: boolean;
  /** Killed because its event loop does not run; it may not have exited yet. */
  isUnresponsive: boolean;
}

export interface FleetOptions {
  size: number;
  drainMs: number;
  logger: Logger;
  startMessage(workerIndex: number): MessageToWorker;
  /** Handles a message from a worker; returns the reply, if it needs one. */
  onMessage(message: MessageToPrimary, worker: number): MessageToWorker | undefined;
  /** Called after a worker has exited and all of its messages have been received. */
  onWorkerExit(worker: number, unexpected: boolean): void;
  /** Called when the number of ready workers may have changed. */
  onReadyChange(): void;
  onReplacement(reason: ReplacementReason): void;
  /** The event loop of this process was stopped or blocked. */
  onStall(stalledMs: number): void;
  /** Called if no worker is ready and workers crash repeatedly at startup, after the start of the fleet. */
  onCrashLoop(): void;
}

/** A worker that does not exit by itself is killed this long after the drain timeout. */
const killAfterMs = 500;

export class Fleet {
  readonly #options: FleetOptions;
  readonly #workers = new Map<number, ManagedWorker>();
  readonly #backoff = new RestartBackoff();
  readonly #liveness = new WorkerLiveness(livenessLimits(inspectorUrl()), () => performance.now());
  /** Each settles when a worker has closed its output. */
  readonly #outputs = new Set<Promise<void>>();
  /** Resolves with the port. */
  readonly #started = Promise.withResolvers<number>();
  #hasStarted = false;
  #isDraining = false;

  constructor(options: FleetOptions) {
    this.#options = options;
    // The output of the workers goes through the primary: only one process writes to the shared descriptors.
    cluster.schedulingPolicy = cluster.SCHED_NONE; // workers accept connections themselves; setupPrimary reads it
    cluster.setupPrimary({ silent: true, execArgv: workerOptions(process.execArgv) });
    cluster.on('message', (worker, message: MessageToPrimary) => this.#receive(worker, message));
    cluster.on('exit', (worker, code, signal) => this.#handleExit(worker, code, signal));
    setInterval(() => this.#checkLiveness(), defaultLiveness.checkMs).unref();
  }

  get alive(): number {
    return [...this.#workers.values()].filter(({ isUnresponsive }) => !isUnresponsive).length;
  }

  get ready(): number {
    return this.readyIds.length;
  }

  get readyIds(): number[] {
    return [...this.#workers].filter(([, managed]) => isReady(managed)).map(([id]) => id);
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /**
   * Resolves with the port when all workers listen. A worker that exits before that is replaced; rejects if workers crash repeatedly, or
   * if one does not become ready.
   */
  start(): Promise<number> {
    for (let workerIndex = 0; workerIndex < this.#options.size; workerIndex++) void this.#tryToFork(workerIndex);
    return this.#started.promise;
  }

  broadcast(message: MessageToWorker): void {
    for (const { worker } of this.#workers.values()) send(worker, message);
  }

  /** Stops all workers after they have finished their requests in flight; their last lines are forwarded. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await Promise.all([...this.#workers.values()].map((managed) => this.#stop(managed)));
    await Promise.all(this.#outputs);
  }

  /**
   * Replaces the workers one by one; each new worker is ready before the old one drains. Resolves with false if a new
   * worker does not become ready: the remaining old workers then keep serving. To be called again only afterwards.
   */
  async rollingRestart(): Promise<boolean> {
    for (const managed of this.#serving()) {
      if (this.#isDraining) return true;
      if (!this.#serving().includes(managed)) continue; // it has ended, and its replacement has the new configuration
      try {
        await this.#fork(managed.workerIndex, true);
      } catch (error) {
        if (this.#isDraining) return true;
        this.#options.logger.error({ err: error }, 'rolling restart failed: new worker did not become ready');
        this.#replaceMissing(); // the old worker may have exited meanwhile
        return false;
      }
      this.#options.onReplacement('roll');
      await this.#stop(managed);
    }
    this.#replaceMissing(); // a new worker may have exited while its old one was still running
    if (!this.#isDraining) this.#options.logger.info({ workers: this.ready }, 'rolling restart completed');
    return true;
  }

  /** Resolves with the port when the new worker listens. */
  async #fork(workerIndex: number, isRollingReplacement = false): Promise<number> {
    if (this.#isDraining) throw new Error('the fleet is draining');
    const worker = forkProcess();
    if (hasProcess(worker)) this.#forwardOutput(worker);
    const forkedAtMs = performance.now();
    const managed: ManagedWorker = {
      worker,
      state: 'starting',
      forkedAtMs,
      workerIndex,
      isRollingReplacement,
      isUnresponsive: false,
    };
    this.#workers.set(worker.id, managed);
    this.#liveness.add(worker.id);
    return new Promise((resolve, reject) => {
      worker.once('listening', ({ port }) => {
        if (managed.state === 'starting') this.#setReady(managed, port);
        resolve(port);
      });
      worker.once('exit', (code) => reject(new Error(`worker exited before it was ready (code ${code})`)));
      worker.on('error', (error) => {
        if (hasProcess(worker)) return this.#logError(worker, error);
        this.#forget(worker);
        reject(new SpawnError(error));
      });
    });
  }

  /** Such as a signal that cannot be sent. */
  #logError(worker: Worker, error: Error): void {
    this.#options.logger.warn({ err: error, workerPid: worker.process.pid }, 'worker process reported an error');
  }

  #forget({ id }: Worker): void {
    this.#workers.delete(id);
    this.#liveness.remove(id);
  }

  #setReady(managed: ManagedWorker, port: number): void {
    managed.state = 'ready';
    this.#liveness.ready(managed.worker.id);
    this.#options.onReadyChange();
    if (this.#hasStarted || this.ready < this.#options.size) return;
    this.#hasStarted = true;
    this.#started.resolve(port);
  }

  #forwardOutput({ process }: Worker): void {
    for (const closed of [forwardLines(process.stdout!, stdout), forwardLines(process.stderr!, stderr)]) {
      this.#outputs.add(closed);
      void closed.then(() => this.#outputs.delete(closed));
    }
  }

  async #stop(managed: ManagedWorker): Promise<void> {
    const { worker } = managed;
    if (worker.isDead()) return;
    const isStarting = managed.state === 'starting';
    managed.state = 'draining';
    this.#liveness.remove(worker.id); // it has the timeout of its drain
    this.#options.onReadyChange();
    const killTimer = setTimeout(() => worker.process.kill('SIGKILL'), this.#options.drainMs + killAfterMs);
    const exited = new Promise((resolve) => worker.once('exit', resolve)); // `once` of node:events would reject for an error
    // A starting worker does not read messages yet; once it does, it drains on SIGTERM too.
    if (isStarting) worker.process.kill('SIGTERM');
    else send(worker, { kind: 'drain' });
    await exited;
    clearTimeout(killTimer);
  }

  #receive(worker: Worker, message: MessageToPrimary): void {
    if (message.kind === 'heartbeat') return this.#liveness.heartbeat(worker.id);
    const reply =
      message.kind === 'hello'
        ? this.#options.startMessage(this.#workers.get(worker.id)?.workerIndex ?? 0)
        : this.#options.onMessage(message, worker.id);
    if (reply) send(worker, reply);
  }

  #handleExit(worker: Worker, code: number | null, signal: string | null): void {
    const managed = this.#workers.get(worker.id);
    this.#forget(worker);
    const unexpected = !this.#isDraining && managed?.state !== 'draining' && managed?.isUnresponsive !== true;
    const notify = () => this.#options.onWorkerExit(worker.id, unexpected);
    // Messages may still arrive between `exit` and `disconnect`.
    if (worker.isConnected()) worker.once('disconnect', notify);
    else notify();
    if (!managed || !unexpected) return;
    if (managed.isRollingReplacement && managed.state === 'starting') return;
    this.#options.onReadyChange();
    this.#options.onReplacement('exit');
    const uptimeMs = performance.now() - managed.forkedAtMs;
    this.#replaceLater({ workerPid: worker.process.pid, code, signal }, 'worker exited', uptimeMs);
  }

  #checkLiveness(): void {
    const { stalledMs, unresponsive } = this.#liveness.check();
    if (stalledMs > 0) {
      this.#options.logger.warn({ stalledMs }, 'primary stalled: its event loop was stopped or blocked');
      this.#options.onStall(stalledMs);
    }
    for (const { worker, silentMs } of unresponsive) this.#killUnresponsive(this.#workers.get(worker)!, silentMs);
  }

  /** SIGKILL also ends a stopped process. Its replacement does not wait for its exit. */
  #killUnresponsive(managed: ManagedWorker, silentMs: number): void {
    const { worker, state } = managed;
    managed.isUnresponsive = true;
    this.#options.logger.error({ workerPid: worker.process.pid, silentMs, state }, 'worker unresponsive: killed');
    worker.process.kill('SIGKILL');
    this.#options.onReadyChange();
    this.#options.onReplacement('heartbeat');
    if (!this.#hasStarted && state === 'starting') this.#started.reject(new Error('a worker did not become ready'));
    else this.#replaceMissing();
  }

  /** Ready, or about to be. */
  #serving(): ManagedWorker[] {
    return [...this.#workers.values()].filter(({ state, isUnresponsive }) => state !== 'draining' && !isUnresponsive);
  }

  #replaceMissing(): void {
    if (this.#isDraining) return;
    const usedIndexes = new Set(this.#serving().map(({ workerIndex }) => workerIndex));
    for (let workerIndex = 0; workerIndex < this.#options.size; workerIndex++)
      if (!usedIndexes.has(workerIndex)) void this.#replace(workerIndex);
  }

  async #replace(workerIndex: number): Promise<void> {
    if (await this.#tryToFork(workerIndex)) this.#options.logger.info({ workers: this.ready }, 'worker replaced');
  }

  /** Resolves with whether the new worker became ready. If it did not, it is replaced later. */
  async #tryToFork(workerIndex: number): Promise<boolean> {
    try {
      await this.#fork(workerIndex);
      return true;
    } catch (error) {
      // The exit of a worker is handled by the `exit` listener.
      if (error instanceof SpawnError) this.#replaceLater({ err: error.cause }, 'cannot start a worker process', 0);
      return false;
    }
  }

  #replaceLater(fields: object, message: string, uptimeMs: number): void {
    const restartDelayMs = this.#backoff.delayAfterExit(uptimeMs, performance.now(), this.#hasStarted);
    this.#options.logger.error({ ...fields, uptimeMs, restartDelayMs }, message);
    const isCrashLoop = restartDelayMs === undefined;
    if (isCrashLoop && !this.#hasStarted) this.#started.reject(new Error('workers crash repeatedly at startup'));
    else if (isCrashLoop && this.ready === 0) this.#options.onCrashLoop();
    else setTimeout(() => this.#replaceMissing(), restartDelayMs ?? maxDelayMs);
  }
}

const isReady = ({ state, isUnresponsive }: ManagedWorker): boolean => state === 'ready' && !isUnresponsive;

/** Errors are ignored: the worker may be exiting. */
function send(worker: Worker, message: MessageToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
