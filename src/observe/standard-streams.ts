/** Standard output and standard error of this process, written without waiting for their reader. */
import { writeSync } from 'node:fs';
import { BoundedOutput } from './bounded-output.ts';

/** Buffered lines delay the exit of a process by at most this long. */
const maxExitDelayMs = 500;
const exitRetryMs = 5;

/** A stream of Node.js on a pipe, a socket or a terminal; on a file it has no handle. */
interface StreamWithHandle {
  _handle?: { setBlocking?: (blocking: boolean) => void };
}

export const stdout = createOutput(1, () => process.stdout, jsonReport);
export const stderr = createOutput(2, () => process.stderr, (dropped) => `gavel: ${dropped} line(s) dropped\n`); // prettier-ignore

export const droppedLines = (): number => stdout.dropped + stderr.dropped;

/** Call once, first: what Node.js itself writes (warnings, the stack of an uncaught exception) must not wait or throw either. */
export function initStandardStreams(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => {});
    setNonBlocking(stream);
  }
  process.once('exit', flushBeforeExit);
}

function createOutput(fd: number, stream: () => object, report: (dropped: number) => string): BoundedOutput {
  return new BoundedOutput({
    write: (bytes) => {
      setNonBlocking(stream()); // the flag is shared: another process that inherited the descriptor may have reset it
      return writeSync(fd, bytes);
    },
    schedule: (callback, delayMs) => void setTimeout(callback, delayMs).unref(),
    report,
  });
}

const setNonBlocking = (stream: object): void => (stream as StreamWithHandle)._handle?.setBlocking?.(false);

/** The format of the log's own lines. */
function jsonReport(dropped: number): string {
  return `${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, dropped, msg: 'log lines dropped' })}\n`;
}

/** Timers do not fire any more: waits for the reader by sleeping. */
function flushBeforeExit(): void {
  const deadlineMs = performance.now() + maxExitDelayMs;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (const output of [stdout, stderr]) {
    while (output.flush()?.code === 'EAGAIN' && performance.now() < deadlineMs)
      Atomics.wait(sleeper, 0, 0, exitRetryMs);
  }
}
