/** The workers of one machine: forked, replaced when they die, rolled one by one, drained at the end. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from '../observe/logger.ts';
import { RestartBackoff, longestDelayMs } from './restart-backoff.ts';
import type { ToPrimary, ToWorker } from './messages.ts';

interface Member {
  worker: Worker;
  state: 'starting' | 'ready' | 'draining';
  bornAtMs: number;
  /** Its place among the workers, from 0; a successor takes over that too. */
  slot: number;
  /** Forked to take over from one that still serves; its death before that is a failed roll, not a loss. */
  isSuccessor: boolean;
}

export interface FleetParts {
  size: number;
  drainMs: number;
  logger: Logger;
  /** What a new worker is told to be. */
  startMessage(slot: number): ToWorker;
  /** What a worker says; undefined where it needs no answer. */
  answer(message: ToPrimary, worker: number): ToWorker | undefined;
  /** A worker has ended, asked for or not, and everything that it said has been heard. */
  onGone(worker: number, unasked: boolean): void;
  /** Workers die faster than they can be replaced. */
  onCrashLoop(): void;
}

/** Beyond the drain time, for a worker that does not end by itself. */
const killAfterMs = 500;

export class Fleet {
  readonly #parts: FleetParts;
  readonly #members = new Map<number, Member>();
  readonly #crashLoop = new RestartBackoff();
  #ending = false;
  #rolling: Promise<boolean> = Promise.resolve(true);

  constructor(parts: FleetParts) {
    this.#parts = parts;
    cluster.on('message', (worker, message: ToPrimary) => this.#receive(worker, message));
    cluster.on('exit', (worker, code, signal) => this.#bury(worker, code, signal));
  }

  get alive(): number {
    return this.#members.size;
  }

  get ready(): number {
    return this.readyIds.length;
  }

  get readyIds(): number[] {
    return [...this.#members].filter(([, { state }]) => state === 'ready').map(([id]) => id);
  }

  get ending(): boolean {
    return this.#ending;
  }

  /** Resolves with the port when all workers listen; rejects when one dies before that. */
  async start(): Promise<number> {
    const ports = await Promise.all(Array.from({ length: this.#parts.size }, (_, slot) => this.#fork(slot)));
    return ports[0]!;
  }

  broadcast(message: ToWorker): void {
    for (const { worker } of this.#members.values()) tell(worker, message);
  }

  /** Replaces every worker by a new one, each new one ready before its old one drains; false where one was not. */
  roll(): Promise<boolean> {
    this.#rolling = this.#rolling.then(() => this.#rollOnce());
    return this.#rolling;
  }

  /** Ends all workers: they stop accepting and answer what is under way. */
  async drain(): Promise<void> {
    this.#ending = true;
    await Promise.all([...this.#members.values()].map((member) => this.#end(member)));
  }

  async #rollOnce(): Promise<boolean> {
    for (const member of [...this.#members.values()].filter(({ state }) => state === 'ready')) {
      if (this.#ending) return true;
      try {
        await this.#fork(member.slot, true);
      } catch (error) {
        if (this.#ending) return true;
        this.#parts.logger.error({ err: error }, 'a new worker did not get ready; the old ones go on');
        return false;
      }
      await this.#end(member);
    }
    this.#replace(); // one of the new ones may have died while its old one was still there
    if (!this.#ending) this.#parts.logger.info({ workers: this.ready }, 'all workers are new');
    return true;
  }

  /** Resolves with the port when the new worker listens. */
  async #fork(slot: number, isSuccessor = false): Promise<number> {
    if (this.#ending) throw new Error('no worker is started any more');
    const worker = cluster.fork();
    const member: Member = { worker, state: 'starting', bornAtMs: performance.now(), slot, isSuccessor };
    this.#members.set(worker.id, member);
    return new Promise((resolve, reject) => {
      worker.once('listening', ({ port }) => {
        member.state = 'ready';
        resolve(port);
      });
      worker.once('exit', (code) => reject(new Error(`a worker ended before it was ready (code ${code})`)));
    });
  }

  async #end(member: Member): Promise<void> {
    const { worker } = member;
    if (worker.isDead()) return;
    const isStarting = member.state === 'starting';
    member.state = 'draining';
    const kill = setTimeout(() => worker.process.kill('SIGKILL'), this.#parts.drainMs + killAfterMs);
    const ended = once(worker, 'exit');
    if (isStarting)
      worker.process.kill('SIGTERM'); // it has nothing to answer yet, or else drains all the same
    else tell(worker, { kind: 'drain' });
    await ended;
    clearTimeout(kill);
  }

  #receive(worker: Worker, message: ToPrimary): void {
    if (message.kind === 'hello') tell(worker, this.#parts.startMessage(this.#members.get(worker.id)?.slot ?? 0));
    else {
      const answer = this.#parts.answer(message, worker.id);
      if (answer) tell(worker, answer);
    }
  }

  #bury(worker: Worker, code: number | null, signal: string | null): void {
    const member = this.#members.get(worker.id);
    this.#members.delete(worker.id);
    const unasked = !this.#ending && member?.state !== 'draining';
    const onGone = () => this.#parts.onGone(worker.id, unasked);
    if (worker.isConnected()) worker.once('disconnect', onGone);
    else onGone();
    if (!member || !unasked) return;
    if (member.isSuccessor && member.state === 'starting') return;
    const livedMs = performance.now() - member.bornAtMs;
    const delayMs = this.#crashLoop.delayAfter(livedMs, performance.now());
    this.#parts.logger.error({ worker: worker.process.pid, code, signal, livedMs, delayMs }, 'a worker died');
    if (delayMs === undefined && this.ready === 0) this.#parts.onCrashLoop();
    else setTimeout(() => this.#replace(), delayMs ?? longestDelayMs); // as long as others serve, there is hope
  }

  #replace(): void {
    const staying = [...this.#members.values()].filter(({ state }) => state !== 'draining');
    if (this.#ending || staying.length >= this.#parts.size) return;
    const taken = new Set(staying.map(({ slot }) => slot));
    const free = Array.from({ length: this.#parts.size }, (_, slot) => slot).find((slot) => !taken.has(slot));
    this.#fork(free ?? 0).then(
      () => this.#parts.logger.info({ workers: this.ready }, 'a worker was replaced'),
      () => {}, // its death is a matter of its own
    );
  }
}

/** A worker that is going away may not listen any more; that is no matter. */
function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
