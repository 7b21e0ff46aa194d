/** The rows of the error table for the fields of a bid request, keyed by Joi's error types. */
import {
  type ErrorResponse,
  type ErrorRow,
  type FieldPath,
  formatPath,
  invalidRequest,
  missing,
  unsupported,
  wrongType,
  wrongValue,
} from './error-row.ts';

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

/** The answer to a broken rule: Joi's error type and path choose the row; `worded` is its reason with the values filled in. */
export function fieldError(type: string, at: FieldPath, known: Record<string, unknown>, worded: string): ErrorResponse {
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
