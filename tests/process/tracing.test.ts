/** Tracing of a running exchange: which spans a collector gets, and that the exchange serves whatever the collector does. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { titleRequest } from '../support/auction-exchange.ts';
import { type ExportedSpan, type OtlpCollector, startCollector } from '../support/otlp-collector.ts';
import { bids, type ScriptedPartner, startPartner } from '../support/scripted-partner.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';
import { until } from '../support/until.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const sampled = `00-${traceId}-${parentId}-01`;

let folder: string;
let collector: OtlpCollector;
let partners: ScriptedPartner[];
let gavel: Gavel | undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gavel-tracing-'));
  collector = await startCollector();
  partners = [await startPartner(bids(1)), await startPartner((response) => void response.writeHead(500).end())];
  const [alpha, beta] = partners.map(({ url }) => url);
  const listed = [
    { name: 'alpha', adapter: 'openrtb', endpoint: alpha },
    { name: 'beta', adapter: 'openrtb', endpoint: beta },
  ];
  writeFileSync(join(folder, 'partners.json'), JSON.stringify({ partners: listed }));
});
afterEach(async () => {
  if (gavel?.process.exitCode === null) await gavel.end();
  gavel = undefined;
  collector.close();
  for (const partner of partners) partner.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = async (variables: Record<string, string>): Promise<Gavel> =>
  (gavel = await startGavel({
    WORKERS: '1',
    LOG_SAMPLE: '1',
    TIMEOUT_MS: '5000',
    SOFT_TIMEOUT_MS: '5000',
    DEMAND_FILE: join(folder, 'partners.json'),
    OTEL_BSP_SCHEDULE_DELAY: '50',
    ...variables,
  }));

const tracing = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

const userId = 'user-4711';
const address = '203.0.113.9';
const body = titleRequest({ user: { id: userId }, device: { ip: address } });

const post = (headers: Record<string, string> = {}, sent: object = body): Promise<Response> =>
  fetch(gavel!.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
    body: JSON.stringify(sent),
  });

const collected = (count: number) => until(`the collector has ${count} spans`, () => collector.spans.length >= count);
const named = (name: string): ExportedSpan => collector.spans.find((span) => span.name === name)!;
const logged = (): Record<string, unknown>[] =>
  gavel!
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
/** Until the metric has at least this many; returns how many. */
async function dropped(reason: string, atLeast: number): Promise<number> {
  const series = new RegExp(`^exchange_spans_dropped_total\\{reason="${reason}"\\} (\\d+)$`, 'm');
  let spans = -1;
  await until(`${atLeast} dropped spans are counted`, async () => {
    const text = await (await fetch(`${gavel!.admin}/metrics`)).text();
    return (spans = Number(series.exec(text)?.[1] ?? -1)) >= atLeast;
  });
  return spans;
}
const sentTo = (partner: number) => partners[partner]!.calls.at(-1)!.headers.traceparent as string | undefined;

describe('with an endpoint', () => {
  test('a request is a server span of the caller, and each partner call its child', async () => {
    await start(tracing());
    const response = await post({ traceparent: sampled, tracestate: 'a=1' });
    expect(response.status).toBe(200);
    await collected(3);

    const [server, alpha, beta] = [named('POST /openrtb2'), named('POST alpha'), named('POST beta')];
    expect(server).toMatchObject({ traceId, parentSpanId: parentId, kind: 2, traceState: 'a=1', isError: false });
    expect(server.resource).toMatchObject({ 'service.name': 'gavel', 'telemetry.sdk.language': 'nodejs' });
    expect(server.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/openrtb2',
      'http.response.status_code': 200,
      'exchange.outcome': 'bid',
      'exchange.request_id': response.headers.get('x-request-id'),
      'exchange.stage.queue_ms': expect.any(Number),
      'exchange.stage.read_ms': expect.any(Number),
      'exchange.stage.admit_ms': expect.any(Number),
      'exchange.stage.validate_ms': expect.any(Number),
    });
    expect(alpha).toMatchObject({ traceId, parentSpanId: server.spanId, kind: 3, isError: false });
    expect(alpha.attributes).toMatchObject({
      'exchange.partner': 'alpha',
      'exchange.partner.result': 'bid',
      'http.response.status_code': 200,
    });
    expect(beta).toMatchObject({ traceId, parentSpanId: server.spanId, kind: 3, isError: true });
    expect(beta.attributes).toMatchObject({
      'exchange.partner.result': 'error',
      'http.response.status_code': 500,
      'error.type': '500',
    });
    for (const { startNs, endNs } of [alpha, beta])
      expect(server.startNs <= startNs && startNs <= endNs && endNs <= server.endNs).toBe(true);

    expect(sentTo(0)).toBe(`00-${traceId}-${alpha.spanId}-01`);
    expect(sentTo(1)).toBe(`00-${traceId}-${beta.spanId}-01`);
    expect(partners[0]!.calls[0]!.headers.tracestate).toBe('a=1');
    await until('the request is logged', () => logged().some((line) => line.traceId === traceId));
  });

  test('a request without a trace starts one, and an error is recorded by its code only', async () => {
    await start({ ...tracing(), OTEL_SERVICE_NAME: 'exchange-eu' });
    expect((await post({}, { ...body, tmax: 7 })).status).toBe(400);
    expect((await fetch(`${new URL(gavel!.endpoint).origin}/${userId}?${address}`)).status).toBe(404);
    await collected(2);

    const [invalid, unknown] = [named('POST /openrtb2'), named('GET')];
    expect(invalid.parentSpanId || undefined).toBeUndefined();
    expect(invalid.resource['service.name']).toBe('exchange-eu');
    expect(invalid.isError).toBe(false);
    expect(invalid.attributes).toMatchObject({
      'exchange.outcome': 'invalid',
      'exchange.error.code': 'INVALID_FIELD_VALUE',
      'http.response.status_code': 400,
    });
    expect(unknown.attributes).not.toHaveProperty('http.route');
    expect(unknown.traceId).not.toBe(invalid.traceId);
    for (const personal of [userId, address]) expect(collector.bodies.join('')).not.toContain(personal);
  });

  test('the caller decides whether its trace is sampled; partners get the flag and a parent of their own', async () => {
    await start(tracing());
    const unsampled = `00-${traceId}-${parentId}-00`;
    await post({ traceparent: unsampled });
    expect(sentTo(0)).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    expect(sentTo(0)).not.toBe(unsampled);
    await post({ traceparent: sampled });
    await collected(3);
    expect(collector.spans).toHaveLength(3);
  });

  test('spans that are not yet exported are exported before the exchange exits', async () => {
    await start({ ...tracing(), OTEL_BSP_SCHEDULE_DELAY: '600000' });
    await post({ traceparent: sampled });
    expect(collector.spans).toEqual([]);
    expect(await gavel!.end()).toBe(0);
    expect(collector.spans.map(({ name }) => name).toSorted()).toEqual(['POST /openrtb2', 'POST alpha', 'POST beta']);
  });
});

describe('a collector that', () => {
  const failures = () => logged().filter(({ msg }) => msg === 'cannot export spans');

  test('fails does not affect requests, is logged within a cap, and gets spans again when it has recovered', async () => {
    collector.play((response) => void response.writeHead(500).end());
    await start(tracing());
    expect(await dropped('export_failed', 0)).toBe(0);
    for (let sent = 0; sent < 3; sent++) {
      expect((await post({ traceparent: sampled })).status).toBe(200);
      const exports = sent + 1;
      await until('the export has failed', () => collector.bodies.length >= exports);
    }
    await until('the failure is logged', () => failures().length > 0);
    // Only lines within the cap per interval have `suppressed`.
    expect(failures()[0]).toMatchObject({ reason: 'trace export', suppressed: 0, spans: expect.any(Number) });
    expect(await dropped('export_failed', 9)).toBe(9);

    collector.play();
    await post({ traceparent: sampled });
    await collected(3);
    expect(await dropped('export_failed', 9)).toBe(9);
    expect(await dropped('queue_full', 0)).toBe(0);
  });

  test('hangs does not affect requests, nor the exit', async () => {
    collector.play(() => {});
    await start({ ...tracing(), OTEL_BSP_MAX_QUEUE_SIZE: '4', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2' });
    for (let sent = 0; sent < 5; sent++) expect((await post({ traceparent: sampled })).status).toBe(200);
    await until('the export hangs', () => collector.bodies.length > 0);
    expect(await dropped('queue_full', 9)).toBe(9); // of fifteen: two are being exported, four are queued
    expect(await gavel!.end()).toBe(0);
  });

  test('is not there does not affect requests', async () => {
    const { url } = collector;
    collector.close();
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: '500' });
    expect((await post({ traceparent: sampled })).status).toBe(200);
    await until('the failure is logged', () => failures().length > 0);
  });
});

describe('OpenTelemetry', () => {
  /** The files that the processes of the exchange have loaded, from V8's coverage. */
  async function loaded(variables: Record<string, string>): Promise<string[]> {
    const coverage = join(folder, 'coverage');
    await start({ ...variables, NODE_V8_COVERAGE: coverage });
    expect((await post({ traceparent: sampled })).status).toBe(200);
    expect(await gavel!.end()).toBe(0);
    return readdirSync(coverage).flatMap((file) => {
      const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as { result: { url: string }[] };
      return result.map(({ url }) => url);
    });
  }

  // prom-client loads @opentelemetry/api.
  const sdk = /@opentelemetry\/(?!api\/)|trace\/otel-/;
  const worker = /src\/worker\.ts$/;

  test.each<[string, Record<string, string>]>([
    ['without an endpoint', {}],
    ['if it is disabled', { OTEL_SDK_DISABLED: 'true' }],
  ])('is not loaded %s, and the trace is passed on unchanged', async (_name, variables) => {
    const files = await loaded(variables.OTEL_SDK_DISABLED ? { ...tracing(), ...variables } : variables);
    expect(files.filter((url) => worker.test(url))).not.toEqual([]);
    expect(files.filter((url) => sdk.test(url))).toEqual([]);
    expect(sentTo(0)).toBe(sampled);
    expect(collector.bodies).toEqual([]);
  });

  test('is loaded with an endpoint', async () => {
    expect((await loaded(tracing())).some((url) => sdk.test(url))).toBe(true);
  });
});
