/** Caps how many log lines of one kind are written per interval, and counts those it suppresses. */
import { LRUCache } from 'lru-cache';

export interface LogCapSettings {
  maxLines: number;
  perMs: number;
  nowMs: () => number;
}

interface Window {
  startedAtMs: number;
  lines: number;
  suppressed: number;
}

/** Kinds may contain a caller's publisher id, so their number is bounded. */
const maxKinds = 1_000;

export class LogCap {
  readonly #settings: LogCapSettings;
  readonly #windows = new LRUCache<string, Window>({ max: maxKinds });

  constructor(settings: LogCapSettings) {
    this.#settings = settings;
  }

  /** How many lines of this kind were suppressed since the last one; undefined if this one is suppressed too. */
  admit(kind: string): number | undefined {
    const { maxLines, perMs, nowMs } = this.#settings;
    const now = nowMs();
    const window = this.#windows.get(kind);
    if (!window || now - window.startedAtMs >= perMs) {
      this.#windows.set(kind, { startedAtMs: now, lines: 1, suppressed: 0 });
      return window?.suppressed ?? 0;
    }
    if (window.lines >= maxLines) {
      window.suppressed++;
      return undefined;
    }
    window.lines++;
    return 0;
  }

  /** Adds lines that were suppressed elsewhere, so that the next line of this kind reports them. */
  addSuppressed(kind: string, lines: number): void {
    const window = this.#windows.get(kind);
    if (window) window.suppressed += lines;
  }
}
