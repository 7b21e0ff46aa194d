/** Creates the tracer of a worker. OpenTelemetry is loaded only if tracing is on. */
import type { Tracer } from './tracer.ts';
import { readTracingSettings, type Variables } from './tracing-settings.ts';

export interface ClosableTracer extends Tracer {
  /** Exports the remaining spans, within a bounded time. */
  close(): Promise<void>;
}

/** Logs at most one line per `reason` and interval. */
export interface ProblemLog {
  warn(reason: string, fields: object, message: string): void;
}

/** Spans that no collector will get: there was no room for them, or their export failed. */
export type OnSpansDropped = (spans: number, reason: 'queue_full' | 'export_failed') => void;

/** The packages of OpenTelemetry read further variables, so all of them come from the environment of the process. */
export async function createTracer(
  variables: Variables,
  log: ProblemLog,
  onDropped: OnSpansDropped,
): Promise<ClosableTracer | undefined> {
  const settings = readTracingSettings(variables, (variable, expected) =>
    log.warn(variable, { variable, expected }, 'invalid variable ignored'),
  );
  if (!settings) return undefined;
  const { OtelTracer } = await import('./otel-tracer.ts');
  return new OtelTracer(settings, log, onDropped);
}
