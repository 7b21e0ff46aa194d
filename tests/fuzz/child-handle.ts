/** One child process and its watchdog: an input that does not end is killed, and the input is not lost. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Finding, FromChild, ToChild } from './protocol.ts';
import { readStateFile } from './state-file.ts';

export interface ChildLimits {
  /** CPU time after which an input counts as a stall. */
  stallCpuMs: number;
  /** The same in real time, for an input that waits for something that never happens. */
  stallMs: number;
  /** Small: an input that allocates without bound crashes the child within a second. */
  heapMb: number;
}

const watchEveryMs = 100;
/**
 * The young generation counts as part of the heap. By default it grows beyond the limit of the whole heap, and from then
 * on V8 collects garbage all the time: every input is ten times as slow.
 */
const nodeOptions = ['--max-semi-space-size=8', '--expose-gc', '--disable-warning=ExperimentalWarning'];
const childPath = fileURLToPath(new URL('child.ts', import.meta.url));

export class ChildHandle {
  readonly #limits: ChildLimits;
  readonly #folder = mkdtempSync(join(tmpdir(), 'gavel-fuzz-'));
  readonly #statePath = join(this.#folder, 'input');
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  #stalled = false;
  #errors = '';

  constructor(targetPath: string, targetName: string, limits: ChildLimits) {
    this.#limits = limits;
    this.#process = fork(childPath, [targetPath, targetName, this.#statePath], {
      execArgv: [`--max-old-space-size=${limits.heapMb}`, ...nodeOptions],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    this.#process.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(0, 4_000);
    });
    this.#exited = once(this.#process, 'exit');
  }

  /** Passes messages to `onMessage` until it returns true. Resolves to a finding if the child stalls or dies before. */
  async listen(message: ToChild | undefined, onMessage: (message: FromChild) => boolean): Promise<Finding | undefined> {
    const watchdog = setInterval(() => this.#watch(), watchEveryMs);
    const ended = new Promise<void>((resolve) => {
      this.#process.on('message', (received: FromChild) => {
        if (onMessage(received)) resolve();
      });
    });
    this.#lastRun = -1;
    if (message) this.#process.send(message);
    const isEnd = await Promise.race([ended.then(() => true), this.#exited.then(() => false)]);
    clearInterval(watchdog);
    this.#process.removeAllListeners('message');
    return isEnd ? undefined : this.#lastFinding();
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) this.#process.kill('SIGKILL');
    await this.#exited;
    rmSync(this.#folder, { recursive: true });
  }

  #lastRun = -1;
  #sinceMs = 0;
  #sinceCpuMs = 0;

  #watch(): void {
    const run = readStateFile(this.#statePath)?.runs;
    const nowMs = performance.now();
    const cpuMs = cpuTimeMs(this.#process.pid!) ?? nowMs;
    if (run !== this.#lastRun) {
      this.#lastRun = run ?? -1;
      this.#sinceMs = nowMs;
      this.#sinceCpuMs = cpuMs;
    } else if (
      run !== undefined &&
      (cpuMs - this.#sinceCpuMs > this.#limits.stallCpuMs || nowMs - this.#sinceMs > this.#limits.stallMs)
    ) {
      this.#stalled = true;
      this.#process.kill('SIGKILL');
    }
  }

  #lastFinding(): Finding {
    const { index, input } = readStateFile(this.#statePath) ?? { index: 0, input: Buffer.alloc(0) };
    if (this.#stalled) return { kind: 'stall', message: 'the input did not end', index, input };
    const { exitCode, signalCode } = this.#process;
    const cause = /FATAL ERROR: .*/.exec(this.#errors)?.[0] ?? this.#errors.slice(0, 500);
    return { kind: 'crash', message: `the process exited with ${signalCode ?? exitCode}: ${cause}`, index, input };
  }
}

/** The CPU time of a process, in steps of 10 ms; undefined where the system has no /proc. */
function cpuTimeMs(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}
