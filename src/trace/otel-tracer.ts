/** The tracer that exports spans with OpenTelemetry, as OTLP over HTTP. */
import {
  type Attributes,
  createTraceState,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer as SpanFactory,
} from '@opentelemetry/api';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { ClosableTracer, OnSpansDropped, ProblemLog } from './create-tracer.ts';
import { meterDroppedSpans } from './otel-dropped-spans.ts';
import { ReportingExporter } from './otel-exporter.ts';
import { toTraceparent, traceHeaders, type TraceContext } from './trace-context.ts';
import type { CallTrace, RequestEnd, RequestStart, RequestTrace, TraceHeaders } from './tracer.ts';
import type { SamplerSettings, TracingSettings } from './tracing-settings.ts';

const serviceName = 'gavel';
/** For the last spans at shutdown. The primary kills a worker half a second after its drain timeout. */
const maxFlushMs = 300;

export class OtelTracer implements ClosableTracer {
  readonly #provider: TracerProvider;
  readonly #spans: SpanFactory;

  constructor({ sampler, batch }: TracingSettings, log: ProblemLog, onDropped: OnSpansDropped) {
    reportDiagnostics(log);
    this.#provider = new TracerProvider({
      resource: createResource(),
      sampler: createSampler(sampler),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: new ReportingExporter(log),
          selfObsMeterProvider: meterDroppedSpans(onDropped),
          ...batch,
        }),
      ],
    });
    this.#spans = this.#provider.getTracer(serviceName);
  }

  start(caller: TraceContext | undefined, { method, route, arrivedAtMs }: RequestStart): RequestTrace {
    const knownMethod = knownMethods.has(method) ? method : undefined;
    const toEpochMs = Date.now() - performance.now();
    const attributes: Attributes = { 'http.request.method': knownMethod ?? '_OTHER', 'url.scheme': 'http' };
    if (route !== undefined) attributes['http.route'] = attributes['url.path'] = route;
    const name = route === undefined ? (knownMethod ?? 'HTTP') : `${method} ${route}`;
    const span = this.#spans.startSpan(
      name,
      { kind: SpanKind.SERVER, attributes, startTime: toEpochMs + arrivedAtMs },
      caller ? trace.setSpanContext(ROOT_CONTEXT, toSpanContext(caller)) : ROOT_CONTEXT,
    );
    return new RequestSpan(this.#spans, span, caller?.tracestate, toEpochMs);
  }

  async close(): Promise<void> {
    const timeout = new Promise<void>((resolve) => void setTimeout(resolve, maxFlushMs));
    const flushed = this.#provider.shutdown().catch(() => {}); // the exporter has reported it
    await Promise.race([flushed, timeout]);
  }
}

/** The methods that the HTTP conventions know; others are recorded as `_OTHER`. */
const knownMethods = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE']);

class RequestSpan implements RequestTrace {
  readonly traceId: string;
  readonly #spans: SpanFactory;
  readonly #span: Span;
  readonly #tracestate: string | undefined;
  /** Added to performance.now(). One per trace, so that a change of the system clock does not part its spans. */
  readonly #toEpochMs: number;

  constructor(spans: SpanFactory, span: Span, tracestate: string | undefined, toEpochMs: number) {
    this.#spans = spans;
    this.#span = span;
    this.#tracestate = tracestate;
    this.#toEpochMs = toEpochMs;
    this.traceId = span.spanContext().traceId;
  }

  stage(name: string, durationMs: number): void {
    this.#span.setAttribute(`exchange.stage.${name}_ms`, durationMs);
  }

  startCall(partner: string, method: string): CallTrace {
    const span = this.#spans.startSpan(
      `${method} ${partner}`,
      {
        kind: SpanKind.CLIENT,
        attributes: { 'http.request.method': method, 'exchange.partner': partner },
        startTime: this.#nowMs(),
      },
      trace.setSpan(ROOT_CONTEXT, this.#span),
    );
    return new CallSpan(span, this.#tracestate, () => this.#nowMs());
  }

  end({ requestId, outcome, status, errorCode, limitScope }: RequestEnd): void {
    const span = this.#span;
    span.setAttributes({ 'exchange.request_id': requestId, 'exchange.outcome': outcome });
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    if (errorCode !== undefined) span.setAttribute('exchange.error.code', errorCode);
    if (limitScope !== undefined) span.setAttribute('exchange.limit.scope', limitScope);
    if (status !== undefined && status >= 500) fail(span, String(status));
    span.end(this.#nowMs());
  }

  #nowMs(): number {
    return this.#toEpochMs + performance.now();
  }
}

/** Results that are a failure of the partner. */
const failures = new Set(['error', 'invalid', 'timeout']);

class CallSpan implements CallTrace {
  readonly headers: TraceHeaders;
  readonly #span: Span;
  readonly #nowMs: () => number;

  constructor(span: Span, tracestate: string | undefined, nowMs: () => number) {
    this.#span = span;
    this.#nowMs = nowMs;
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.headers = traceHeaders(toTraceparent(traceId, spanId, (traceFlags & TraceFlags.SAMPLED) !== 0), tracestate);
  }

  end(result: string, status: number | undefined): void {
    this.#span.setAttribute('exchange.partner.result', result);
    if (status !== undefined) this.#span.setAttribute('http.response.status_code', status);
    if (failures.has(result)) fail(this.#span, result === 'error' && status !== undefined ? String(status) : result);
    this.#span.end(this.#nowMs());
  }
}

function fail(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

const toSpanContext = ({ traceId, parentId, isSampled, tracestate }: TraceContext): SpanContext => ({
  traceId,
  spanId: parentId,
  traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: true,
  ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
});

function createSampler({ isParentBased, ratio }: SamplerSettings): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence. */
const createResource = () =>
  defaultResource()
    .merge(resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid }))
    .merge(detectResources({ detectors: [envDetector] }));

/** Dropped spans and invalid variables are only reported here. Failed exports are reported by the exporter. */
function reportDiagnostics(log: ProblemLog): void {
  const ignore = () => {};
  const warn = (cause: string) => log.warn('OpenTelemetry', { cause }, 'OpenTelemetry reported a problem');
  const logger = { error: ignore, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
