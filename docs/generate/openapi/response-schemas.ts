/** The components that describe the responses of the bidding endpoint, compared with their interfaces by the compiler. */
import { errorTable } from '../../../src/http/http-errors.ts';
import type { Bid, BidExt, BidResponse, SeatBid, TestReport, Warning } from '../../../src/openrtb/bid-response.ts';
import type { PartnerReport } from '../../../src/contract/partner-report.ts';
import type { ErrorBody } from '../../../tests/support/error-body.ts';
import { count, type JsonSchema, listOf, number, objectOf, oneOf, refTo, text } from './json-schema.ts';

const bidResponse = objectOf<BidResponse>(
  'An OpenRTB 2.6 bid response.',
  {
    id: text('The id of the request.'),
    seatbid: listOf(refTo('SeatBid'), 'The winning bids by partner. Empty only in test mode.'),
    cur: text('The currency of all prices (ISO 4217).'),
    ext: objectOf<NonNullable<BidResponse['ext']>>('Present in test mode only.', { service: refTo('TestReport') }),
  },
  { ext: 'optional' },
);

const seatBid = objectOf<SeatBid>('The winning bids of one partner.', {
  seat: text('The name of the partner.'),
  bid: { ...listOf(refTo('Bid'), 'One bid per impression won.', 10), minItems: 1 },
});

const bid = objectOf<Bid>(
  'A winning bid.',
  {
    id: text('The id of the bid.'),
    impid: text('The id of the impression.'),
    price: { ...number('The clearing price as CPM, in the currency of the response.'), minimum: 0 },
    adm: {
      ...text(
        'The Native Ads response as JSON text, in the form of the native request: with or without the member native.',
      ),
      contentMediaType: 'application/json',
    },
    nurl: text('The win notice URL. Absent in test mode.'),
    burl: text('The billing notice URL. Absent in test mode.'),
    lurl: text('The loss notice URL. Absent in test mode.'),
    adomain: listOf({ type: 'string' }, 'The domains of the advertiser.'),
    bundle: text('The bundle of the advertised app.'),
    crid: text('The id of the creative.'),
    cid: text('The id of the campaign.'),
    cat: listOf({ type: 'string' }, 'The categories of the creative.'),
    cattax: { type: 'integer', description: 'The taxonomy of cat (AdCOM).' },
    attr: listOf({ type: 'integer' }, 'The attributes of the creative (AdCOM).'),
    language: text('The language of the creative (ISO 639-1).'),
    dealid: text('The id of the deal. Absent in the open auction.'),
    mtype: oneOf([4], 'The type of the markup: native.'),
    exp: { type: 'integer', description: 'Seconds that may pass between the auction and the impression.' },
    ext: refTo('BidExt'),
  },
  {
    nurl: 'optional',
    burl: 'optional',
    lurl: 'optional',
    adomain: 'optional',
    bundle: 'optional',
    cid: 'optional',
    cat: 'optional',
    cattax: 'optional',
    attr: 'optional',
    language: 'optional',
    dealid: 'optional',
    exp: 'optional',
    ext: 'optional',
  },
);

const bidExt = objectOf<BidExt>(
  'Extensions of a bid.',
  {
    dsa: { type: 'object', description: 'The transparency information of the buyer under the Digital Services Act.' },
    service: objectOf<NonNullable<BidExt['service']>>('Extensions of the exchange.', {
      buyerSeat: text("The buyer's seat at the partner."),
    }),
  },
  { dsa: 'optional', service: 'optional' },
);

const testReport = objectOf<TestReport>('The report of test mode.', {
  test: { const: true, description: 'Test mode.' },
  valid: { const: true, description: 'The request is valid. An invalid one gets a 400 with all its errors.' },
  integrationLevel: oneOf([1, 2, 3, 4], 'The integration level of the request.'),
  warnings: listOf(refTo('Warning'), 'Problems that do not make the request invalid.'),
  softDeadlineMs: number('Milliseconds since the start of the auction: from then on one valid bid ends it.'),
  hardDeadlineMs: number('Milliseconds since the start of the auction: then it ends.'),
  partners: listOf(refTo('PartnerReport'), 'One entry per partner.'),
});

const warning = objectOf<Warning>('A problem that does not make the request invalid.', {
  code: text('The kind of problem.'),
  field: text('The path of the field.'),
  message: text('What was found, and what happens because of it.'),
});

const partnerReport = objectOf<PartnerReport>(
  'What one partner did in the auction.',
  {
    name: text('The name of the partner.'),
    outcome: oneOf(
      ['bid', 'no_bid', 'timeout', 'late', 'error', 'invalid', 'skipped', 'excluded'],
      "How the call ended. skipped: not called (circuit breaker, QPS cap, no time left). excluded: not called by the publisher's settings.",
    ),
    detail: text('Why it has no bid, as far as the exchange knows.'),
    startMs: number('The start of the call in milliseconds, since the start of the auction.'),
    durationMs: number('The duration of the call in milliseconds.'),
    deadlineMs: number(
      'How long the auction would wait if another partner has a valid bid. Absent for a local bidder, and for one that was not called.',
    ),
    bids: count('The number of bids.'),
    rejected: listOf(
      objectOf<PartnerReport['rejected'][number]>('A dropped bid.', {
        reason: text('The drop reason, as in the metric exchange_bids_total.'),
        detail: text('The rule and the value that broke it.'),
        impid: text('The id of the impression.'),
      }),
      'The dropped bids.',
    ),
    lost: listOf(
      objectOf<PartnerReport['lost'][number]>('A valid bid that did not win.', {
        impid: text('The id of the impression.'),
        price: number('The price in the currency of the response.'),
      }),
      'The valid bids that did not win.',
    ),
    repaired: listOf(
      objectOf<NonNullable<PartnerReport['repaired']>[number]>('A repair.', {
        impid: text('The id of the impression.'),
        detail: text('What was removed or cut.'),
      }),
      'What was removed from valid bids and their markup, or cut.',
    ),
  },
  { detail: 'optional', deadlineMs: 'optional', repaired: 'optional' },
);

const codes = [...new Set(Object.values(errorTable).map(({ code }) => code))];

type Details = ErrorBody['error']['details'];
const field = text('The path of the field, for example imp[0].bidfloor. Absent if the error concerns no single field.');

const errorDetails = objectOf<Details>(
  'What to change.',
  {
    field,
    reason: text('What was found and what is allowed.'),
    errors: listOf(
      objectOf<NonNullable<Details['errors']>[number]>(
        'One error.',
        { code: refTo('ErrorCode'), field, reason: text('What was found and what is allowed.') },
        { field: 'optional' },
      ),
      'All errors of an invalid request, the reported one included. In test mode only.',
      100,
    ),
  },
  { field: 'optional', errors: 'optional' },
);

const errorBody = objectOf<ErrorBody>('The body of every response with a 4xx or 5xx status.', {
  error: objectOf<ErrorBody['error']>('The error.', {
    code: refTo('ErrorCode'),
    message: text('The kind of error, for people.'),
    details: errorDetails,
    request_id: text('The id of the request, as in X-Request-Id and in the log of the exchange.'),
  }),
});

export const responseSchemas: Record<string, JsonSchema> = {
  BidResponse: bidResponse,
  SeatBid: seatBid,
  Bid: bid,
  BidExt: bidExt,
  TestReport: testReport,
  Warning: warning,
  PartnerReport: partnerReport,
  ErrorBody: errorBody,
  ErrorCode: { type: 'string', enum: codes, description: 'The codes that programs may rely on.' },
};
