/** Watches the rates file: reads it again when it changes, and keeps the last valid rates. */
import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { readRatesFile } from '../config/rates-file.ts';
import type { RatesTable } from '../money/rates.ts';

export interface RatesListener {
  onRates(table: RatesTable): void;
  /** The file is invalid or missing. Called once per change of the file. */
  onProblems(problems: readonly string[]): void;
}

export class RatesWatcher {
  readonly #path: string;
  readonly #listener: RatesListener;
  #current: RatesTable;
  /** Version of the file that was read last. Empty at first: the file may have changed since the configuration was read. */
  #version = '';

  constructor(path: string, initial: RatesTable, listener: RatesListener) {
    this.#path = path;
    this.#current = initial;
    this.#listener = listener;
  }

  get current(): RatesTable {
    return this.#current;
  }

  /** Call it every few seconds: polling also works for mounted files, where notifications are not reliable. */
  check(): void {
    const version = versionOf(this.#path); // before the file is read: a change during the read is seen by the next check
    if (version === this.#version) return;
    this.#version = version;
    const result = readRatesFile(this.#path);
    if ('problems' in result) return this.#listener.onProblems(result.problems);
    if (isDeepStrictEqual(result.table, this.#current)) return;
    this.#current = result.table;
    this.#listener.onRates(result.table);
  }
}

/** Changes with the content of the file, and if another file takes its place. */
function versionOf(path: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    return (error as Error).message;
  }
}
