/** OpenTelemetry's exporter for OTLP over HTTP; failed exports are reported. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { ProblemLog } from './create-tracer.ts';

type OnResult = Parameters<OTLPTraceExporter['export']>[1];

export class ReportingExporter extends OTLPTraceExporter {
  readonly #log: ProblemLog;

  constructor(log: ProblemLog) {
    super();
    this.#log = log;
  }

  override export(spans: ReadableSpan[], onResult: OnResult): void {
    super.export(spans, (result) => {
      if (result.error)
        this.#log.warn('trace export', { spans: spans.length, cause: result.error.message }, 'cannot export spans');
      onResult(result);
    });
  }
}
