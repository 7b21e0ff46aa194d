/** Says a thing that may happen with every request at most once in a while, and how often it was not said. */
import type { Logger } from './logger.ts';

export interface CappedLog {
  /** `reason` is what is counted: one of a small, closed number. */
  warn(reason: string, fields: object, message: string): void;
}

export function createCappedLog(logger: Logger, everyMs: number, nowMs: () => number): CappedLog {
  const said = new Map<string, { atMs: number; suppressed: number }>();
  return {
    warn(reason, fields, message) {
      const last = said.get(reason);
      if (last && nowMs() - last.atMs < everyMs) {
        last.suppressed++;
        return;
      }
      said.set(reason, { atMs: nowMs(), suppressed: 0 });
      logger.warn({ ...fields, reason, suppressed: last?.suppressed ?? 0 }, message);
    },
  };
}
