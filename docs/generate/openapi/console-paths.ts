/** The paths of the console's API on the admin server. */
import { adminErrors, adminServers } from './admin-paths.ts';
import { type JsonSchema, listOf, refTo } from './json-schema.ts';

/** `ADMIN_TOKEN` as a bearer token, or the cookie that the login sets. Neither is needed if it is not set. */
export const consoleSecurity = [{ adminToken: [] }, { adminSession: [] }, {}];

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  responses: object;
  [member: string]: unknown;
}

const ok = (description: string, schema: JsonSchema, type = 'application/json'): object => ({
  200: { description, content: { [type]: { schema } } },
});

const failure = (description: string): object => ({
  description,
  content: { 'application/json': { schema: refTo('AdminError') } },
});

const unauthorized = {
  401: failure('ADMIN_TOKEN is set, and the client has neither sent it nor logged in with it.'),
  429: failure('Too many wrong tokens. Retry after the time in Retry-After.'),
};

const operation = (given: Operation): object => ({
  tags: ['console'],
  security: consoleSecurity,
  ...given,
  responses: { ...given.responses, ...unauthorized, ...adminErrors },
});

const path = (method: 'get' | 'post', given: Operation): object => ({
  servers: adminServers,
  [method]: operation(given),
});

export const consolePaths: Record<string, object> = {
  '/console/api/session': path('get', {
    operationId: 'consoleSession',
    summary: 'Session',
    description: 'Whether this client must log in, and where the bidding endpoint is. Needs no session.',
    security: [],
    responses: ok('The session.', refTo('Session')),
  }),
  '/console/api/login': path('post', {
    operationId: 'consoleLogin',
    summary: 'Log in',
    description: 'Exchanges the token of the operator for a cookie (HttpOnly, SameSite=Strict).',
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: refTo('Login') } } },
    responses: {
      204: { description: 'Logged in; the response sets the cookie.' },
      413: failure('The body is longer than 1 KiB.'),
    },
  }),
  '/console/api/examples': path('get', {
    operationId: 'consoleExamples',
    summary: 'Examples',
    description: 'The requests of the playground.',
    responses: ok('The requests.', listOf(refTo('Example'), 'The requests.')),
  }),
  '/console/api/try': path('post', {
    operationId: 'consoleTry',
    summary: 'Try a request',
    description:
      'Sends the body to the bidding endpoint in test mode. The response is 200 whatever the bidding endpoint sent.',
    parameters: [
      {
        name: 'X-Api-Key',
        in: 'header',
        description: 'The API key of the publisher, sent on as Authorization: Bearer.',
        schema: { type: 'string' },
      },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: {} } } },
    responses: {
      ...ok('What the bidding endpoint sent.', refTo('TryResult')),
      413: failure('The body is longer than 260 KiB.'),
      502: failure('The bidding endpoint could not be reached, took more than 10 s, or sent more than 1 MiB.'),
      503: failure('Too many requests are running, or the exchange is starting. Retry after the time in Retry-After.'),
    },
  }),
  '/console/api/live': path('get', {
    operationId: 'consoleLive',
    summary: 'Live samples',
    description: 'Server-sent events: one LiveSample as JSON per second.',
    responses: {
      ...ok('The events.', { type: 'string' }, 'text/event-stream'),
      503: failure('Too many clients watch. Retry after the time in Retry-After.'),
    },
  }),
  '/console/api/history': path('get', {
    operationId: 'consoleHistory',
    summary: 'History',
    description: 'The samples of the last 15 minutes.',
    responses: ok('The samples.', refTo('History')),
  }),
  '/console/api/auctions': path('get', {
    operationId: 'consoleAuctions',
    summary: 'Latest auctions',
    description: 'A bounded sample: every error, all test traffic, and a few per second of the rest.',
    parameters: [
      {
        name: 'id',
        in: 'query',
        description: 'Only the auctions with this request id, or with this id of the bid request.',
        schema: { type: 'string' },
      },
    ],
    responses: ok('The auctions.', refTo('Auctions')),
  }),
  '/console/api/errors': path('get', {
    operationId: 'consoleErrors',
    summary: 'Errors by publisher',
    description: 'Which publisher sends what wrong: counts by publisher, code and field.',
    responses: ok('The errors.', refTo('Errors')),
  }),
};
