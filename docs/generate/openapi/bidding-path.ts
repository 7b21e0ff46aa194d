/** `POST /openrtb2`: the request, every status, every header, every error. */
import { errorTable } from '../../../src/http/http-errors.ts';
import { errorCodes } from '../error-codes.ts';
import { acceptedExamples, errorExamples } from './bidding-examples.ts';
import { errorStatuses, hasPublisherKeys, headersOf, requestHeaders } from './headers.ts';
import { refTo } from './json-schema.ts';

export async function biddingPath(): Promise<object> {
  const { requests, responses } = acceptedExamples();
  return {
    post: {
      operationId: 'bid',
      tags: ['bidding'],
      summary: 'Send a bid request',
      description:
        'Runs an auction for the native impressions of an OpenRTB 2.6 bid request. A response reports one error. Rate limiting takes precedence over every other error, except that an overloaded worker may respond with 503 first, without charging the request. In test mode ("test": 1) an invalid request gets all its errors.',
      security: hasPublisherKeys ? [{ publisherKey: [] }, {}] : [],
      parameters: requestHeaders,
      requestBody: {
        required: true,
        description:
          'One bid request as JSON in UTF-8, at most 256 KiB. Content-Type: application/json is required; a charset parameter must be utf-8.',
        content: { 'application/json': { schema: refTo('BidRequest'), examples: requests } },
      },
      responses: {
        200: {
          description: 'At least one bid. In test mode, every valid request.',
          headers: headerRefs(200),
          content: { 'application/json': { schema: refTo('BidResponse'), examples: responses } },
        },
        204: { description: 'No bid.', headers: headerRefs(204) },
        ...(await errorResponses()),
      },
    },
  };
}

const headerRefs = (status: number): object =>
  Object.fromEntries(headersOf(status).map((name) => [name, { $ref: `#/components/headers/${name}` }]));

async function errorResponses(): Promise<Record<string, object>> {
  const rows = Object.values(errorTable);
  const responses = errorStatuses.map(async (status) => {
    const codes = [...new Set(rows.filter((row) => row.status === status).map(({ code }) => code))];
    const narrowed = { properties: { error: { properties: { code: { enum: codes } } } } };
    const response = {
      description: codes
        .map((code) => `\`${code}\`: ${errorCodes[code].meaning} ${errorCodes[code].action}`)
        .join('\n\n'),
      headers: headerRefs(status),
      content: {
        'application/json': {
          schema: { allOf: [refTo('ErrorBody'), narrowed] },
          examples: await errorExamples(status),
        },
      },
    };
    return [String(status), response] as const;
  });
  return Object.fromEntries(await Promise.all(responses));
}
