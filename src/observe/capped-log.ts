/** Logs warnings that any request may cause, at most one per kind and interval. */
import type { Logger } from './logger.ts';
import { LogCap } from './log-cap.ts';

export interface CappedLog {
  /** Lines of the same `reason` share the cap. */
  warn(reason: string, fields: object, message: string): void;
}

export function createCappedLog(logger: Logger, perMs: number, nowMs: () => number): CappedLog {
  const cap = new LogCap({ maxLines: 1, perMs, nowMs });
  return {
    warn(reason, fields, message) {
      const suppressed = cap.admit(reason);
      if (suppressed !== undefined) logger.warn({ ...fields, reason, suppressed }, message);
    },
  };
}
