/** Where the exchange under drill writes its log, and the lines that arrived, with the time of their arrival. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { UnreadPipe } from '../../tests/support/unread-pipe.ts';
import type { LogLine } from './judge.ts';

const readIntervalMs = 50;

export class LogSource {
  readonly lines: LogLine[] = [];
  #rest = '';
  #timer: NodeJS.Timeout | undefined;

  readStream(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => this.#add(chunk.toString()));
  }

  /** Until `stop`. */
  readPipe(pipe: UnreadPipe): void {
    this.#timer = setInterval(() => this.#add(pipe.read()), readIntervalMs);
  }

  /** Until `stop`. */
  readFile(path: string): void {
    const fd = openSync(path, 'r');
    const buffer = Buffer.alloc(1_048_576);
    this.#timer = setInterval(() => this.#add(buffer.toString('utf8', 0, readSync(fd, buffer))), readIntervalMs);
    this.#closeFile = () => closeSync(fd);
  }

  #closeFile = () => {};

  stop(): void {
    clearInterval(this.#timer);
    this.#closeFile();
    this.#closeFile = () => {};
  }

  #add(text: string): void {
    if (text === '') return;
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    const atMs = performance.now();
    for (const line of lines) this.lines.push({ atMs, text: line });
  }
}
