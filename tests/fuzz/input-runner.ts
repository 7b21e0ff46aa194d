/** Runs inputs through a started target and measures them: every broken rule, exception and slow input is a finding. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { HeapWatch } from './heap-watch.ts';
import type { Finding, FindingKind } from './protocol.ts';
import type { StateFile } from './state-file.ts';
import { type FuzzTarget, type RunningTarget, Violation } from './target.ts';

/** An input counts as slow only if it is slow every time, over a while in which other processes let go of the CPU. */
const confirmations = 20;
const betweenMs = 5;
/** Confirming takes long. Once this many are confirmed, others count if their first run took several times the limit. */
const maxConfirmed = 3;
const clearlySlow = 3;
/** Every n-th input runs twice and must have the same verdict. */
const repeatEvery = 16;
/**
 * The CPU clock of a thread advances in steps of up to this length. Shorter runs are measured in real time, in which the
 * minimum of several runs is hardly disturbed by other processes.
 */
const cpuClockMicros = 4_000;
/** An input that raises the peak memory takes at least this long. */
const peakCheckMicros = 2_000;

/** The verdict, or what was found instead. */
export interface Ran {
  verdict: string | undefined;
  finding: Finding | undefined;
}

export class InputRunner {
  slowestMicros = 0;
  #confirmed = 0;
  readonly #target: FuzzTarget;
  readonly #running: RunningTarget;
  readonly #state: StateFile;
  readonly #heap: HeapWatch;
  /** An exception that no call of the target threw. */
  #stray: unknown;

  constructor(target: FuzzTarget, running: RunningTarget, state: StateFile, heap: HeapWatch) {
    this.#target = target;
    this.#running = running;
    this.#state = state;
    this.#heap = heap;
    process.on('uncaughtException', (error) => (this.#stray = error));
    process.on('unhandledRejection', (error) => (this.#stray = error));
  }

  async run(index: number, input: Buffer, checkTime: boolean): Promise<Ran> {
    const found = (kind: FindingKind, message: string): Ran => ({
      verdict: undefined,
      finding: { kind, message, index, input },
    });
    this.#state.write(index, input);
    try {
      const { verdict, micros, isAsync } = await this.#measure(input);
      if (!this.#target.verdicts.includes(verdict)) return found('violation', `unknown verdict ${verdict}`);
      if (index % repeatEvery === 0 && (await this.#running.run(input)) !== verdict) {
        return found('violation', `the second run of the input did not end with ${verdict}`);
      }
      const peakProblem = micros > peakCheckMicros ? this.#heap.checkPeak() : undefined;
      if (peakProblem !== undefined) return found('memory', peakProblem);
      const slow = checkTime ? await this.#checkTime(input, micros) : undefined;
      if (slow !== undefined) return found('slow', slow);
      if (isAsync && this.#stray !== undefined) throw this.#takeStray();
      return { verdict, finding: undefined };
    } catch (error) {
      return found(error instanceof Violation ? 'violation' : 'exception', describe(error));
    }
  }

  /** The exception that reached no call since the last time; rejections without a handler arrive a turn later. */
  async takeStray(index: number, input: Buffer): Promise<Finding | undefined> {
    await nextTurn();
    const stray = this.#takeStray();
    return stray === undefined ? undefined : { kind: 'exception', message: describe(stray), index, input };
  }

  async checkHealth(index: number, input: Buffer): Promise<Finding | undefined> {
    try {
      await this.#running.checkHealth?.();
      return undefined;
    } catch (error) {
      const message = `after this input or one shortly before it: ${describe(error)}`;
      return { kind: 'violation', message, index, input };
    }
  }

  #takeStray(): unknown {
    const stray = this.#stray;
    this.#stray = undefined;
    return stray;
  }

  async #measure(input: Buffer): Promise<{ verdict: string; micros: number; isAsync: boolean }> {
    const cpuBefore = process.threadCpuUsage();
    const startedAtMs = performance.now();
    const result = this.#running.run(input);
    const isAsync = typeof result !== 'string';
    const verdict = isAsync ? await result : result;
    const micros = (performance.now() - startedAtMs) * 1000;
    if (micros <= cpuClockMicros) return { verdict, micros, isAsync };
    const { user, system } = process.threadCpuUsage(cpuBefore);
    return { verdict, micros: Math.min(micros, user + system + cpuClockMicros), isAsync };
  }

  async #checkTime(input: Buffer, firstMicros: number): Promise<string | undefined> {
    const limit = this.#target.maxMicros(input.length);
    if (firstMicros <= limit && firstMicros <= this.slowestMicros * 1.5 + 100) return undefined;
    if (this.#confirmed >= maxConfirmed && firstMicros < clearlySlow * limit) return undefined;
    const micros = this.#confirmed < maxConfirmed ? await this.#confirm(input, firstMicros, limit) : firstMicros;
    this.slowestMicros = Math.max(this.slowestMicros, micros);
    if (micros <= limit) return undefined;
    this.#confirmed++;
    return `${Math.round(micros)} µs of CPU time, at most ${Math.round(limit)} are allowed`;
  }

  /** The first run may have paid for garbage collection or compilation: only the minimum of several runs counts. */
  async #confirm(input: Buffer, firstMicros: number, limit: number): Promise<number> {
    let micros = firstMicros;
    for (let run = 0; run < confirmations && micros > Math.min(limit, this.slowestMicros); run++) {
      await this.#running.evictCaches?.();
      if (run > 0) await sleep(betweenMs);
      this.#state.writeRun();
      micros = Math.min(micros, (await this.#measure(input)).micros);
    }
    return micros;
  }
}

function describe(error: unknown): string {
  if (error instanceof Violation) return error.message;
  return error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join('\n') : String(error);
}
