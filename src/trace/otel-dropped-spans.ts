/** Reports the spans that OpenTelemetry drops: its processor counts them in a metric of its own, through this provider. */
import { type Counter, createNoopMeter, type Meter, type MeterProvider } from '@opentelemetry/api';
import type { OnSpansDropped } from './create-tracer.ts';

const processedSpans = 'otel.sdk.processor.span.processed';
/** Spans that were exported have no such attribute. */
const errorType = 'error.type';

export function meterDroppedSpans(onDropped: OnSpansDropped): MeterProvider {
  const noop = createNoopMeter();
  const processed: Counter = {
    add(spans, attributes) {
      const error = attributes?.[errorType];
      if (error !== undefined) onDropped(spans, error === 'queue_full' ? 'queue_full' : 'export_failed');
    },
  };
  const createCounter = (name: string): Counter => (name === processedSpans ? processed : noop.createCounter(name));
  const meter = Object.assign(Object.create(noop) as Meter, { createCounter });
  return { getMeter: () => meter };
}
