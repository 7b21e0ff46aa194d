/** Counts errors by publisher, code and field in bounded memory: the space-saving algorithm keeps the frequent ones. */
import type { ErrorCount } from '../../contract/console-api.ts';

/** More than the console shows, because the least frequent rows have the largest errors. */
export const maxRows = 200;

export class ErrorTable {
  readonly #rows = new Map<string, ErrorCount>();

  add(publisher: string | null, code: string, field: string | null, requestId: string, timeMs: number): void {
    const key = JSON.stringify([publisher, code, field]);
    let row = this.#rows.get(key);
    if (!row) {
      const inherited = this.#rows.size < maxRows ? 0 : this.#removeLeast();
      row = { publisher, code, field, count: inherited, latestRequestId: '', latestMs: 0 };
      this.#rows.set(key, row);
    }
    row.count++;
    row.latestRequestId = requestId;
    row.latestMs = timeMs;
  }

  rows(): ErrorCount[] {
    return [...this.#rows.values()];
  }

  /** A new row inherits the count of the one that it replaces: a count is never too low, and too high by at most that. */
  #removeLeast(): number {
    let leastKey = '';
    let least = Infinity;
    for (const [key, { count }] of this.#rows) {
      if (count >= least) continue;
      least = count;
      leastKey = key;
    }
    this.#rows.delete(leastKey);
    return least;
  }
}
