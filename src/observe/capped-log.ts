/** Logs what any request may cause, at most one line per reason and interval. */
import type { Logger } from './logger.ts';
import { LogCap } from './log-cap.ts';

export interface CappedLog {
  /**
   * Lines of the same `reason` share the cap. Returns whether the line was written.
   * A function is called only for a line that is written; its fields may have another `reason`.
   */
  warn(reason: string, fields: LineFields, message: string): boolean;
  error(reason: string, fields: LineFields, message: string): boolean;
}

type LineFields = object | (() => object);

export function createCappedLog(logger: Logger, perMs: number, nowMs: () => number): CappedLog {
  const cap = new LogCap({ maxLines: 1, perMs, nowMs });
  const write = (level: 'warn' | 'error') => (reason: string, fields: LineFields, message: string) => {
    const suppressed = cap.admit(reason);
    if (suppressed === undefined) return false;
    logger[level](
      { reason, ...(typeof fields === 'function' ? (fields as () => object)() : fields), suppressed },
      message,
    );
    return true;
  };
  return { warn: write('warn'), error: write('error') };
}
