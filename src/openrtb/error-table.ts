/** Every way a request can go wrong: one row for each, with the whole answer it gets. Joi words the reasons from here. */

export type ErrorCode =
  | 'INVALID_REQUEST'
  | 'MISSING_REQUIRED_FIELD'
  | 'INVALID_FIELD_VALUE'
  | 'INVALID_FIELD_TYPE'
  | 'UNSUPPORTED_FORMAT'
  | 'PAYLOAD_TOO_LARGE'
  | 'REQUEST_TIMEOUT'
  | 'RATE_LIMIT_EXCEEDED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE';

export type FieldPath = readonly (string | number)[];

/** Which field a row blames, from where the rule stood and what it knew; `none` where no field is to blame. */
type Blame = 'none' | 'itself' | 'parent' | ((at: FieldPath, known: Record<string, unknown>) => FieldPath);

export interface ErrorRow {
  status: number;
  code: ErrorCode;
  message: string;
  blames: Blame;
  /** Joi's template language; `{#limit}` and the like are filled with what the rule knew. */
  reason: string;
}

const invalidRequest = (message: string, blames: Blame, reason: string): ErrorRow => ({
  status: 400,
  code: 'INVALID_REQUEST',
  message,
  blames,
  reason,
});
const missing = (blames: Blame, reason: string): ErrorRow => ({
  status: 400,
  code: 'MISSING_REQUIRED_FIELD',
  message: 'Required field missing',
  blames,
  reason,
});
const wrongType = (reason: string): ErrorRow => ({
  status: 400,
  code: 'INVALID_FIELD_TYPE',
  message: 'Invalid field type',
  blames: 'itself',
  reason,
});
const wrongValue = (reason: string, blames: Blame = 'itself'): ErrorRow => ({
  status: 400,
  code: 'INVALID_FIELD_VALUE',
  message: 'Invalid field value',
  blames,
  reason,
});
const unsupported = (message: string, blames: Blame, reason: string): ErrorRow => ({
  status: 400,
  code: 'UNSUPPORTED_FORMAT',
  message,
  blames,
  reason,
});
const answer = (status: number, code: ErrorCode, message: string, reason: string): ErrorRow => ({
  status,
  code,
  message,
  blames: 'none',
  reason,
});

const notOpenRtb = 'Invalid OpenRTB request format';

/** Rules on the fields, by Joi error type; `type@path` is the row for one place and goes before the general one. */
export const fieldErrors = {
  'any.required@': invalidRequest(notOpenRtb, 'none', 'the body must be a JSON object'),
  'object.base@': invalidRequest(notOpenRtb, 'none', 'the body must be a JSON object'),
  'any.required@imp[].native': missing('parent', 'every impression must carry a native object'),
  'any.required@imp[].native.request': invalidRequest(notOpenRtb, 'parent', 'native.request is required'),
  'any.required': missing('itself', 'this field is required'),

  'object.base': wrongType('must be an object'),
  'array.base': wrongType('must be an array'),
  'array.sparse': wrongType('must not be null'),
  'string.base': wrongType('must be a string'),
  'number.base': wrongType('must be a number'),
  'number.integer': wrongType('must be an integer'),
  'boolean.base': wrongType('must be true or false'),

  'array.min': wrongValue('must hold at least {#limit} item(s)'),
  'array.max': wrongValue('must hold at most {#limit} items'),
  'string.empty': wrongValue('must not be empty'),
  'string.max': wrongValue('must be at most {#limit} characters long'),
  'string.pattern.name': wrongValue('must consist of {#name}'),
  'string.domain': wrongValue('must be a domain name of two labels or more'),
  'number.min': wrongValue('must be at least {#limit}'),
  'number.max': wrongValue('must be at most {#limit}'),
  'number.precision': wrongValue('must have at most {#limit} decimals'),
  'number.infinity': wrongValue('must be a finite number'),
  'value.oneOf': wrongValue('must be one of {#values}'),
  'value.apiFramework': wrongValue('must be an API framework: 1 to 9, or 500 and above'),
  'value.httpsUrl': wrongValue('must be an absolute https URL'),
  'video.durations': wrongValue('must not exceed maxduration, {#maxduration}', (at) => [...at, 'minduration']),

  'native.version': wrongValue('must be a version such as 1.2'),
  'native.versionUnsupported': unsupported('Unsupported format', 'itself', 'Native Ads 1.0, 1.1 and 1.2 are supported'),
  'native.text': wrongValue('must be the JSON text of a native request'),
  'native.shape': wrongValue('must be the JSON text of an object with "native", or of the native object itself'),
  'native.content': wrongValue('{#inner}: {#problem}'),
  'native.contentUnsupported': unsupported('Unsupported format', 'itself', '{#inner}: {#problem}'),

  'imp.duplicateId': invalidRequest(
    'Duplicate impression id',
    (_at, known) => ['imp', known.index as number, 'id'],
    'first used by imp[{#first}].id',
  ),
  'request.siteAndApp': invalidRequest('Mutually exclusive fields', 'none', 'send either site or app, not both'),
} satisfies Record<string, ErrorRow>;

/** Rules that only occur inside the text of `native.request`: their problem is told by the row `native.content`. */
export const nativeProblems = {
  'native.assetKind': 'must have exactly one of title, img, video and data',
  'native.assetIds': 'asset ids must be unique, {#id} is used twice',
};

/** What is wrong with the call itself, before or besides its fields. */
export const callErrors = {
  'http.contentType': unsupported('Unsupported content type', 'none', 'send Content-Type: application/json, in UTF-8'),
  'http.contentEncoding': unsupported(
    'Unsupported content encoding',
    'none',
    'send the body as it is or with Content-Encoding: gzip',
  ),
  'http.tooLarge': answer(413, 'PAYLOAD_TOO_LARGE', 'Payload too large', 'the body must not exceed 256 KiB'),
  'http.bodyTimeout': answer(408, 'REQUEST_TIMEOUT', 'Request timeout', 'the body did not arrive in time'),
  'http.headersTimeout': answer(408, 'REQUEST_TIMEOUT', 'Request timeout', 'the headers did not arrive in time'),
  'http.headersTooLarge': answer(
    431,
    'INVALID_REQUEST',
    'Malformed HTTP request',
    'the headers must not exceed 16 KiB',
  ),
  'http.malformed': invalidRequest('Malformed HTTP request', 'none', 'the request is not valid HTTP/1.1'),
  'body.notJson': invalidRequest('Invalid JSON format', 'none', 'the body is not valid JSON in UTF-8'),
  'body.notGzip': invalidRequest('Invalid JSON format', 'none', 'the body cannot be inflated'),
  'http.notFound': answer(404, 'NOT_FOUND', 'Not found', 'the bidding endpoint is POST /openrtb2'),
  'http.method': answer(405, 'METHOD_NOT_ALLOWED', 'Method not allowed', 'use POST'),
  'limit.ip': answer(429, 'RATE_LIMIT_EXCEEDED', 'Rate limit exceeded', 'the limit of scope ip is used up'),
  'limit.publisher': answer(
    429,
    'RATE_LIMIT_EXCEEDED',
    'Rate limit exceeded',
    'the limit of scope publisher is used up',
  ),
  'limit.global': answer(429, 'RATE_LIMIT_EXCEEDED', 'Rate limit exceeded', 'the limit of scope global is used up'),
  'server.defect': answer(
    500,
    'INTERNAL_ERROR',
    'Internal error',
    'the exchange failed; the request may be sent again',
  ),
  'server.unavailable': answer(
    503,
    'SERVICE_UNAVAILABLE',
    'Service unavailable',
    'the exchange has too much to do; send the request again later',
  ),
} satisfies Record<string, ErrorRow>;

export const errorTable = { ...fieldErrors, ...callErrors };
export type ErrorName = keyof typeof errorTable;
export type CallErrorName = keyof typeof callErrors;

/** One error, ready to be answered. */
export interface ErrorAnswer {
  name: ErrorName;
  status: number;
  code: ErrorCode;
  message: string;
  field?: string;
  reason: string;
}

export function callError(name: CallErrorName): ErrorAnswer {
  const { status, code, message, reason } = callErrors[name];
  return { name, status, code, message, reason };
}

/** The answer to a broken rule: Joi's error type and path choose the row; `worded` is its reason with the values filled in. */
export function fieldError(type: string, at: FieldPath, known: Record<string, unknown>, worded: string): ErrorAnswer {
  const name = rowFor(type, at);
  const { status, code, message, blames, reason: fixed }: ErrorRow = fieldErrors[name];
  const reason = name.includes('@') ? fixed : worded;
  if (blames === 'none') return { name, status, code, message, reason };
  const blamed = typeof blames === 'function' ? blames(at, known) : blames === 'parent' ? at.slice(0, -1) : at;
  return { name, status, code, message, field: formatPath(blamed), reason };
}

function rowFor(type: string, at: FieldPath): keyof typeof fieldErrors {
  const place = `${type}@${formatPath(at).replaceAll(/\[\d+\]/g, '[]')}`;
  if (Object.hasOwn(fieldErrors, place)) return place as keyof typeof fieldErrors;
  if (Object.hasOwn(fieldErrors, type)) return type as keyof typeof fieldErrors;
  throw new Error(`the error table has no row for ${place}`);
}

/** `['imp', 0, 'native', 'request']` as `imp[0].native.request`. */
export function formatPath(path: FieldPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}
