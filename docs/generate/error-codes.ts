/** What each error code means and what the caller should do, for docs/errors.md. */
import type { ErrorCode } from '../../src/openrtb/error-row.ts';

interface CodeDescription {
  meaning: string;
  action: string;
}

/** In the order of the document: by how often an integrator meets them. */
export const errorCodes: Record<ErrorCode, CodeDescription> = {
  MISSING_REQUIRED_FIELD: {
    meaning: 'A required field is absent or `null`.',
    action: 'Add the field that `details.field` names. Do not retry the same request.',
  },
  INVALID_FIELD_TYPE: {
    meaning: 'A field has the wrong JSON type, for example a number in quotes or a fraction in place of an integer.',
    action: 'Send the type that `details.reason` names. Do not retry the same request.',
  },
  INVALID_FIELD_VALUE: {
    meaning:
      'A field has the right type but breaks a rule: range, length, characters, list of values, precision, size of an array, or the content of `native.request`.',
    action:
      'Send a value that `details.reason` allows. For errors inside `native.request`, the reason starts with the path inside the native request. Do not retry the same request.',
  },
  UNSUPPORTED_FORMAT: {
    meaning:
      'The content type, the content encoding or the version of Native Ads is well formed, but the exchange does not support it.',
    action: 'Send one of the formats that `details.reason` lists. Do not retry the same request.',
  },
  INVALID_REQUEST: {
    meaning:
      'The structure of the request is invalid: not HTTP, not JSON, not an object, an impression id used twice, or both `site` and `app`.',
    action:
      'For JSON errors, the reason gives the position (characters, from 0), the line and the column (both from 1). Do not retry the same request.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning:
      'The body is larger than 256 KiB. For gzip bodies, the limit applies after decompression too, and before it the limit is 200 KiB.',
    action: 'Send fewer impressions or less data per request. Do not retry the same request.',
  },
  REQUEST_TIMEOUT: {
    meaning: 'The headers or the body did not arrive in time. The exchange closes the connection.',
    action: 'Treat it as no bid. Use a new connection for the requests that follow, and send each request at once.',
  },
  RATE_LIMIT_EXCEEDED: {
    meaning:
      'A rate limit is exceeded. The reason names the scope: `ip` (the client address), `publisher` (`site.publisher.id` or `app.publisher.id`) or `global` (all requests).',
    action:
      'Treat it as no bid. Send the requests that follow after the number of seconds in `Retry-After`. `X-RateLimit-Remaining` shows how much is left.',
  },
  UNAUTHORIZED: {
    meaning:
      'The publisher id in `details.field` belongs to a publisher that requires an API key or an address range, and the request has neither.',
    action:
      'Send the key of the publisher as `Authorization: Bearer KEY`, or send the request from an address of the publisher. The request counts for the rate limits of the address and of all requests, not for that of the publisher. Do not retry the same request.',
  },
  NOT_FOUND: {
    meaning: 'The path does not exist.',
    action: 'Send bid requests to `POST /openrtb2`.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path exists, but not with this method.',
    action: 'Use `POST`, as the header `Allow` states.',
  },
  INTERNAL_ERROR: {
    meaning:
      'The exchange has a defect. The response does not expose details; they are in its log with the request id.',
    action:
      'Treat it as no bid. If the error persists, reduce the rate of the requests that follow, and contact support with the `request_id`.',
  },
  SERVICE_UNAVAILABLE: {
    meaning:
      'The exchange is overloaded, this IP address has too many requests in flight, its bodies arrive too slowly, or too many large or costly requests wait. `details.reason` says which. The request was not processed.',
    action:
      'Treat it as no bid. Send the requests that follow after the number of seconds in `Retry-After`, at a lower rate if the error persists.',
  },
};
