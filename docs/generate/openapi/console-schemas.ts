/** The components that describe the console's API, compared with its types by the compiler. */
import type {
  AuctionPartner,
  Auctions,
  AuctionSample,
  ErrorCount,
  Errors,
  Example,
  History,
  LiveSample,
  Login,
  PartnerSample,
  Session,
  TryResult,
} from '../../../src/contract/console-api.ts';
import {
  count,
  countsBy,
  flag,
  type JsonSchema,
  listOf,
  number,
  objectOf,
  oneOf,
  orNull,
  refTo,
  text,
} from './json-schema.ts';

const timeMs = (description: string): JsonSchema => count(`${description}, in milliseconds since the Unix epoch.`);

const latencies = (description: string): JsonSchema =>
  objectOf<{ p50: number; p95: number; p99: number }>(description, {
    p50: number('The median.'),
    p95: number('The 95th percentile.'),
    p99: number('The 99th percentile.'),
  });

const access: Record<string, JsonSchema> = {
  Session: objectOf<Session>('The session of this client.', {
    loginRequired: flag('true if ADMIN_TOKEN is set and this client has not logged in.'),
    endpoint: text('The URL of the bidding endpoint.'),
    version: text('The version of the exchange.'),
  }),
  Login: objectOf<Login>('The token of the operator.', { token: text('The value of ADMIN_TOKEN.') }),
  Example: objectOf<Example>('A request for the playground.', {
    name: text('Its name.'),
    title: text('Its title.'),
    body: text('The bid request as JSON text.'),
  }),
  TryResult: objectOf<TryResult>('What the bidding endpoint sent.', {
    status: { type: 'integer', description: 'The status.' },
    headers: listOf(
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'string' }], minItems: 2, maxItems: 2 },
      'The headers: name and value.',
    ),
    durationMs: number('The duration in milliseconds.'),
    body: text('The body, at most 1 MiB.'),
  }),
};

const live: Record<string, JsonSchema> = {
  LiveSample: objectOf<LiveSample>(
    'One second of the whole machine.',
    {
      timeMs: timeMs('The end of the second'),
      outcomes: countsBy('outcome', 'Requests'),
      testRequests: count('Test requests, which nothing else here counts.'),
      latencyMs: orNull(latencies('Latencies in milliseconds; null if there was no request.')),
      rateLimited: objectOf<LiveSample['rateLimited']>('Requests over a rate limit, by scope.', {
        ip: count('Of one IP address.'),
        publisher: count('Of one publisher.'),
        global: count('Of all requests together.'),
      }),
      shed: countsBy('reason', 'Shed requests'),
      queueDelayMs: orNull(number('The 99th percentile of the queue delay; null if nothing was measured.')),
      workers: objectOf<LiveSample['workers']>('The workers.', {
        ready: count('Workers that are ready.'),
        expected: count('Workers that are configured.'),
      }),
      eventLoopLagMs: number(
        'The event-loop lag; the highest of all workers. Of a worker that has not replied in time, the time since its last reply.',
      ),
      limitMode: oneOf(['redis', 'embedded', 'degraded'], 'The mode of the rate limiter; degraded if any worker is.'),
      partners: listOf(refTo('PartnerSample'), 'One entry per partner.'),
    },
    { testRequests: 'optional' },
  ),
  PartnerSample: objectOf<PartnerSample>('One partner in one second, test traffic excluded.', {
    name: text('The name of the partner.'),
    calls: count('The number of calls.'),
    outcomes: countsBy('outcome', 'Calls'),
    bids: count('The number of bids.'),
    wins: count('The number of bids won.'),
    revenueMicros: count('The revenue of the wins, in micros of USD.'),
    dropped: countsBy('drop reason', 'Dropped bids'),
    latency: objectOf<PartnerSample['latency']>('A cumulative latency histogram.', {
      le: listOf({ type: ['number', 'null'] }, 'Upper bounds in milliseconds; null is infinity.'),
      counts: listOf({ type: 'integer' }, 'The count per upper bound.'),
    }),
    breaker: oneOf(['closed', 'half_open', 'open'], 'The state of the circuit breaker.'),
    deadlineMs: orNull(number('The learned deadline; null for a local bidder.')),
  }),
  History: objectOf<History>('The samples of the last 15 minutes.', {
    targetsMs: latencies('The targets, in milliseconds.'),
    samples: listOf(refTo('LiveSample'), 'The samples, oldest first.', 900),
  }),
};

const auctionPartner = objectOf<AuctionPartner>(
  'What one partner did in an auction.',
  {
    name: text('The name of the partner.'),
    outcome: text('How the call ended, as in the test report.'),
    detail: text('Why it has no bid, as far as the exchange knows.'),
    startMs: number('The start of the call, since the start of the auction.'),
    durationMs: number('The duration of the call.'),
    deadlineMs: number('How long the auction would wait for the partner.'),
    bids: count('The number of bids.'),
    rejected: { $ref: '#/components/schemas/PartnerReport/properties/rejected' },
    lost: { $ref: '#/components/schemas/PartnerReport/properties/lost' },
    omittedBids: count('Rejected and lost bids that the sample does not have.'),
    repaired: { $ref: '#/components/schemas/PartnerReport/properties/repaired' },
  },
  { detail: 'optional', deadlineMs: 'optional', omittedBids: 'optional', repaired: 'optional' },
);

const auctions: Record<string, JsonSchema> = {
  Auctions: objectOf<Auctions>(
    'A sample of the latest auctions.',
    {
      auctions: listOf(refTo('AuctionSample'), 'Newest first.', 500),
      missingWorkers: count('Ready workers that have not replied in time: their auctions are missing.'),
    },
    { missingWorkers: 'optional' },
  ),
  AuctionSample: objectOf<AuctionSample>(
    'One bid request.',
    {
      timeMs: timeMs('When it arrived'),
      requestId: text('The id in X-Request-Id.'),
      bidRequestId: orNull(text('The id in the bid request; null if there was none that could be used.')),
      publisher: orNull(text('The id of the publisher.')),
      site: orNull(text('The domain of the site or the bundle of the app.')),
      test: flag('Whether it was test traffic.'),
      outcome: text('The outcome.'),
      status: { type: 'integer', description: 'The status of the response.' },
      durationMs: number('The duration in milliseconds.'),
      error: orNull(
        objectOf<NonNullable<AuctionSample['error']>>('The error, if any.', {
          code: text('The error code.'),
          field: orNull(text('The path of the field.')),
          reason: text('The reason.'),
        }),
      ),
      winners: listOf(
        objectOf<AuctionSample['winners'][number]>('A winning bid.', {
          impid: text('The id of the impression.'),
          partner: text('The name of the partner.'),
          price: number('The clearing price.'),
          currency: text('The currency of the price.'),
        }),
        'The winning bids.',
      ),
      partners: listOf(refTo('AuctionPartner'), 'One entry per partner; empty if there was no auction.'),
      softDeadlineMs: orNull(number('The soft deadline.')),
      hardDeadlineMs: orNull(number('The hard deadline.')),
      restrictions: listOf(
        objectOf<NonNullable<AuctionSample['restrictions']>[number]>('One restriction.', {
          field: text('The path in the bid request.'),
          reason: text('What it does.'),
        }),
        'What restricts demand for the impressions without a winner.',
        20,
      ),
      unsold: listOf(text('The id of an impression.'), 'The impressions without a winner.', 20),
      warnings: listOf(
        objectOf<NonNullable<AuctionSample['warnings']>[number]>('One warning.', {
          code: text('The kind of problem.'),
          field: text('The path in the bid request.'),
          reason: text('What was found, and what happens because of it.'),
        }),
        'What the caller should correct, as in the test report.',
        20,
      ),
    },
    { unsold: 'optional', restrictions: 'optional', warnings: 'optional' },
  ),
  AuctionPartner: auctionPartner,
  Errors: objectOf<Errors>('The most frequent errors since the start.', {
    errors: listOf(refTo('ErrorCount'), 'The most frequent first.', 100),
  }),
  ErrorCount: objectOf<ErrorCount>('How often one publisher sent one error.', {
    publisher: orNull(text('The id of the publisher.')),
    code: text('The error code.'),
    field: orNull(text('The path of the field.')),
    count: count('The number of errors.'),
    latestRequestId: text('The id of the latest request with this error.'),
    latestMs: timeMs('The time of the latest request'),
  }),
};

export const consoleSchemas: Record<string, JsonSchema> = { ...access, ...live, ...auctions };
