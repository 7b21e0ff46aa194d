/** The error counts of all workers since the start of the exchange. What exited workers have counted is kept, as in the metrics. */
import type { ErrorCount } from '../../contract/console-api.ts';
import { maxRows } from '../../observe/console/error-table.ts';

export class FleetErrors {
  /** The latest rows of each worker, which count since its start. */
  readonly #rows = new Map<number, ErrorCount[]>();
  /** The counts of all workers that have exited, bounded like the table of one. */
  #exited: ErrorCount[] = [];

  set(worker: number, rows: ErrorCount[]): void {
    this.#rows.set(worker, rows);
  }

  retire(worker: number): void {
    this.#exited = mergeErrors([this.#exited, this.#rows.get(worker) ?? []], maxRows);
    this.#rows.delete(worker);
  }

  all(): ErrorCount[][] {
    return [this.#exited, ...this.#rows.values()];
  }
}

/** Adds the counts of equal rows; the most frequent first. */
export function mergeErrors(tables: Iterable<ErrorCount[]>, limit: number): ErrorCount[] {
  const merged = new Map<string, ErrorCount>();
  for (const row of [...tables].flat()) {
    const key = JSON.stringify([row.publisher, row.code, row.field]);
    const other = merged.get(key);
    const latest = other && other.latestMs > row.latestMs ? other : row;
    merged.set(key, { ...latest, count: row.count + (other?.count ?? 0) });
  }
  return [...merged.values()].toSorted((a, b) => b.count - a.count).slice(0, limit);
}
