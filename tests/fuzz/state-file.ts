/** The input that a child process runs, in a file: it can be read when the child hangs or has crashed. */
import { openSync, readFileSync, writeSync } from 'node:fs';

const headerBytes = 12;
const maxInputBytes = 2 * 1024 * 1024;

export interface CurrentInput {
  index: number;
  /** Grows with every run: an input that is measured several times is no stall. */
  runs: number;
  input: Buffer;
}

/** Written by the child before it runs an input. */
export class StateFile {
  readonly #file: number;
  readonly #bytes = Buffer.alloc(headerBytes + maxInputBytes);

  #runs = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  write(index: number, input: Uint8Array): void {
    if (input.length > maxInputBytes) throw new Error(`an input has ${input.length} bytes; at most ${maxInputBytes}`);
    this.#bytes.writeUInt32LE(++this.#runs, 0);
    this.#bytes.writeUInt32LE(index, 4);
    this.#bytes.writeUInt32LE(input.length, 8);
    this.#bytes.set(input, headerBytes);
    writeSync(this.#file, this.#bytes, 0, headerBytes + input.length, 0);
  }

  /** The same input runs again. */
  writeRun(): void {
    this.#bytes.writeUInt32LE(++this.#runs, 0);
    writeSync(this.#file, this.#bytes, 0, 4, 0);
  }
}

/** Undefined before the first input. */
export function readStateFile(path: string): CurrentInput | undefined {
  const bytes = readFileSync(path, { flag: 'a+' });
  if (bytes.length < headerBytes) return undefined;
  const length = bytes.readUInt32LE(8);
  const input = bytes.subarray(headerBytes, headerBytes + length);
  return { index: bytes.readUInt32LE(4), runs: bytes.readUInt32LE(0), input };
}
