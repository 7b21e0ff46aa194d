/** The headers of the bidding endpoint: those that it reads, and those that it sends. */
import { errorTable } from '../../../src/http/http-errors.ts';

export interface Header {
  description: string;
  schema: object;
  required?: boolean;
}

const integer = { type: 'integer', minimum: 0 };

const headers: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'The id of the request in the log of the exchange and in error bodies.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': {
    description: 'The capacity of the reported bucket: the one with the fewest tokens left.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'The tokens left in the reported bucket.',
    required: true,
    schema: integer,
  },
  'X-RateLimit-Reset': {
    description: 'When the reported bucket is full again, in seconds since the Unix epoch, rounded up.',
    required: true,
    schema: integer,
  },
  'Retry-After': {
    description: 'Seconds to wait before further requests.',
    required: true,
    schema: { type: 'integer', minimum: 1, maximum: 3 },
  },
  'x-openrtb-version': {
    description: 'The version of OpenRTB of the body.',
    required: true,
    schema: { type: 'string', const: '2.6' },
  },
  Allow: {
    description: 'The method that the path supports.',
    required: true,
    schema: { type: 'string', const: 'POST' },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate: with an API key of the publisher as a bearer token.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
};

/** Sent with every response. */
export const commonHeaders = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const extraHeaders: Readonly<Record<string, string[]>> = {
  200: ['x-openrtb-version'],
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

export const headersOf = (status: number): string[] => [...commonHeaders, ...(extraHeaders[status] ?? [])];

/** The statuses of errors, lowest first. */
export const errorStatuses = [...new Set(Object.values(errorTable).map(({ status }) => status))].toSorted(
  (a, b) => a - b,
);

/** Whether publishers can have API keys. */
export const hasPublisherKeys = errorStatuses.includes(401);

const sent = new Set([200, 204, ...errorStatuses].flatMap(headersOf));

/** The headers that any response has. */
export const responseHeaders = Object.fromEntries(Object.entries(headers).filter(([name]) => sent.has(name)));

/** OpenAPI describes Content-Type with the body. */
export const requestHeaders = [
  {
    name: 'Content-Encoding',
    in: 'header',
    description: 'Send a compressed body with gzip. Other encodings are rejected.',
    schema: { type: 'string', enum: ['gzip', 'identity'] },
  },
  {
    name: 'X-Forwarded-For',
    in: 'header',
    description:
      'The address of the client behind trusted proxies (setting TRUST_PROXY). It is the key of the rate limit per address.',
    schema: { type: 'string' },
  },
  {
    name: 'traceparent',
    in: 'header',
    description:
      'W3C Trace Context. Partners receive the trace, and the exchange logs its id. An invalid value is ignored.',
    schema: { type: 'string' },
  },
  {
    name: 'tracestate',
    in: 'header',
    description: 'W3C Trace Context. A value that is invalid or longer than 512 characters is ignored.',
    schema: { type: 'string' },
  },
  {
    name: 'Expect',
    in: 'header',
    description: 'The only supported expectation is 100-continue.',
    schema: { type: 'string', enum: ['100-continue'] },
  },
];
