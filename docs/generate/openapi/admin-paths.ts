/** The paths of the admin server: health, readiness, metrics, SLO and this description. */
import type { SloReport } from '../../../src/observe/slo.ts';
import { type Health, notReadyReasons } from '../../../src/fleet/readiness.ts';
import { count, flag, type JsonSchema, number, objectOf, oneOf, orNull, refTo, text } from './json-schema.ts';

/** Another server than that of the bidding endpoint, on another port. */
export const adminServers = [
  { url: 'http://127.0.0.1:9464', description: 'The admin server of `make run` (settings ADMIN_HOST and ADMIN_PORT).' },
];

const byTarget = (description: string, member: (target: string) => JsonSchema): JsonSchema =>
  objectOf<SloReport['targets']>(description, {
    p50Ms: member('the median of the latency, in milliseconds'),
    p95Ms: member('the 95th percentile of the latency, in milliseconds'),
    p99Ms: member('the 99th percentile of the latency, in milliseconds'),
    rps: member('requests per second'),
  });

export const adminSchemas: Record<string, JsonSchema> = {
  Health: objectOf<Health>(
    'The state of the processes.',
    {
      ok: flag('Whether the check passed.'),
      workers: count('The number of workers that are alive (/healthz) or ready (/readyz).'),
      reason: oneOf(notReadyReasons, 'Why /readyz is 503. `redis`: REDIS_REQUIRED=1, and a worker cannot use Redis.'),
    },
    { reason: 'optional' },
  ),
  SloReport: objectOf<SloReport>('Latency and request rate of live traffic against their targets.', {
    targets: byTarget('The targets.', (target) => number(`The target: ${target}.`)),
    measured: byTarget('The measured values.', (target) =>
      orNull(number(`Measured: ${target}. null without traffic.`)),
    ),
    met: byTarget('Whether each target is met.', (target) => flag(`Whether the target is met: ${target}.`)),
    windowSeconds: number('The length of the window that was measured, in seconds.'),
  }),
  AdminError: objectOf<{ error: string }>('The error of the admin server.', { error: text('What is wrong.') }),
};

const json = (description: string, schema: string): object => ({
  description,
  content: { 'application/json': { schema: refTo(schema) } },
});

/** Every path of the admin server can send them. */
export const adminErrors = {
  400: json('The request is not valid HTTP/1.0 or HTTP/1.1.', 'AdminError'),
  405: json('The method is not allowed; the header Allow lists those that are.', 'AdminError'),
  500: json('The report failed.', 'AdminError'),
};

const get = (operationId: string, summary: string, description: string, responses: object): object => ({
  servers: adminServers,
  get: {
    operationId,
    tags: ['admin'],
    summary,
    description,
    security: [],
    responses: { ...responses, ...adminErrors },
  },
});

export const adminPaths: Record<string, object> = {
  '/healthz': get('health', 'Liveness', 'Whether the primary and at least one worker are alive.', {
    200: json('At least one worker is alive.', 'Health'),
    503: json('No worker is alive.', 'Health'),
  }),
  '/readyz': get('readiness', 'Readiness', 'Whether the exchange takes traffic. If not, `reason` says why.', {
    200: json('At least one worker is ready.', 'Health'),
    503: json('The exchange starts or drains, no worker is ready, or Redis is required and unavailable.', 'Health'),
  }),
  '/metrics': get('metrics', 'Metrics', 'The metrics of all workers together, in the Prometheus text format.', {
    200: {
      description: 'The metrics.',
      content: { 'text/plain': { schema: { type: 'string' } } },
    },
  }),
  '/slo': get(
    'slo',
    'SLO report',
    'Latency and request rate of live traffic in the last minutes, against their targets.',
    {
      200: json('The report.', 'SloReport'),
    },
  ),
  '/openapi.json': get('openapi', 'This description', 'The description of the API in OpenAPI 3.1.', {
    200: { description: 'The description.', content: { 'application/json': { schema: { type: 'object' } } } },
  }),
};
