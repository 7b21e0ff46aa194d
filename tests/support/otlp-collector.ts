/** A collector of OpenTelemetry on a real socket: keeps the spans that it receives, hangs or fails. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ExportedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** 2 is a server, 3 a client. */
  kind: number;
  traceState: string | undefined;
  attributes: Record<string, unknown>;
  isError: boolean;
  resource: Record<string, unknown>;
  startNs: bigint;
  endNs: bigint;
}

export interface OtlpCollector {
  url: string;
  spans: ExportedSpan[];
  /** The bodies received, also of exports that it did not accept. */
  bodies: string[];
  /** Replaces the response of later exports; without an argument it accepts them again. */
  play(respond?: Respond): void;
  close(): void;
}

type Respond = (response: ServerResponse) => void;

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  traceState?: string;
  attributes: Attribute[];
  status?: { code?: number };
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}

interface OtlpExport {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

const accept: Respond = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');

export async function startCollector(): Promise<OtlpCollector> {
  let respond: Respond = accept;
  const spans: ExportedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      bodies.push(body);
      if (request.url === '/v1/traces' && respond === accept) spans.push(...readSpans(JSON.parse(body) as OtlpExport));
      respond(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    play: (next = accept) => (respond = next),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const readSpans = ({ resourceSpans }: OtlpExport): ExportedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => readSpan(span, toObject(resource.attributes)))),
  );

const readSpan = (span: OtlpSpan, resource: Record<string, unknown>): ExportedSpan => ({
  name: span.name,
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId,
  kind: span.kind,
  traceState: span.traceState,
  attributes: toObject(span.attributes),
  isError: span.status?.code === 2,
  resource,
  startNs: BigInt(span.startTimeUnixNano),
  endNs: BigInt(span.endTimeUnixNano),
});

const toObject = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
