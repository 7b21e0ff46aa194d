/** The rows of the error table for the fields of a bid request, and the error that a broken rule becomes. */
import {
  type ErrorResponse,
  type ErrorRow,
  type FieldPath,
  formatPath,
  invalidRequest,
  missing,
  type RuleContext,
  unsupported,
  wrongType,
  wrongValue,
} from './error-row.ts';
import { fillReason } from './fill-reason.ts';

export const notOpenRtb = 'Invalid OpenRTB request format';

/** Keyed by Joi's error type; `type@path` is the row for one path and takes precedence over the general one. */
export const fieldErrors = {
  'any.required@': invalidRequest(notOpenRtb, 'none', 'the body must be a JSON object; got null'),
  'object.base@': invalidRequest(notOpenRtb, 'none', 'the body must be a JSON object; got {bodyType}'),
  'any.required@imp[].native': missing('native is required, but {absence}; every impression must have one', 'parent'),
  'any.required@imp[].native.request': invalidRequest(
    notOpenRtb,
    'parent',
    'request is required, but {absence}; it holds a Native Ads 1.2 request as JSON text',
  ),
  'any.required': missing('required, but {absence}'),
  'deal.fixedPrice': missing('required if at is 3, because it is the fixed price of the deal', (path) => [
    ...path,
    'bidfloor',
  ]),

  'string.base@imp[].native.request': wrongType('must be a string with a native request as JSON text; got {type}'),
  'object.base': wrongType('must be an object; got {type}'),
  'array.base': wrongType('must be an array; got {type}'),
  'string.base': wrongType('must be a string; got {type}'),
  'number.base': wrongType('must be a number; got {type}'),
  'integer.base': wrongType('must be an integer; got {type}'),
  'number.integer': wrongType('must be an integer; got {found}'),
  'boolean.base': wrongType('must be true or false; got {type}'),

  'array.min': wrongValue('must contain {range}; got {length}'),
  'array.max': wrongValue('must contain {range}; got {length}'),
  'string.empty': wrongValue('must not be empty'),
  'string.max': wrongValue('must be at most {limit} characters; got {length}'),
  'string.pattern.name': wrongValue('must contain only {name}; got {character}'),
  'string.domain': wrongValue('must be a domain name; {problem}'),
  'number.min': wrongValue('must be at least {limit}; got {found}'),
  'number.max': wrongValue('must be at most {limit}; got {found}'),
  'number.precision': wrongValue('must have at most {limit} decimals; got {found}'),
  'number.infinity': wrongValue('must be a finite number; got a number outside the range of a double'),
  'value.oneOf': wrongValue('must be one of {values}; got {found}'),
  'value.apiFramework': wrongValue('must be an API framework (1 to 9, or 500 and above); got {found}'),
  'value.httpsUrl': wrongValue('must be an absolute https URL; {problem}'),
  'value.usPrivacy': wrongValue('must be a US Privacy string such as 1YNN; {problem}'),
  'video.durations': wrongValue('must be at most maxduration ({maxduration}); got {minduration}', (path) => [
    ...path,
    'minduration',
  ]),

  'native.version': wrongValue('must be a version such as 1.2; got {found}'),
  'native.versionUnsupported': unsupported(
    'Unsupported format',
    'itself',
    'must be Native Ads 1, 1.0, 1.1 or 1.2; got {found}',
  ),
  'native.text': wrongValue('is not valid JSON: {problem}'),
  'native.encodedTwice': wrongValue('is JSON-encoded twice; encode the native request as JSON once'),
  'native.shape': wrongValue('must be the JSON text of an object; got the JSON text of {problem}'),
  'native.content': wrongValue('{path}: {problem}'),
  'native.contentUnsupported': unsupported('Unsupported format', 'itself', '{path}: {problem}'),

  'imp.duplicateId': invalidRequest(
    'Duplicate impression id',
    (_path, { index }) => ['imp', index as number, 'id'],
    'must be unique within the request; first used by imp[{first}].id',
  ),
  'request.siteAndApp': invalidRequest('Mutually exclusive fields', 'none', 'got both site and app; send only one'),
} satisfies Record<string, ErrorRow>;

type FieldErrorName = keyof typeof fieldErrors;

/** Rules that apply only inside the text of `native.request`, where the row `native.content` reports them. */
const nativeReasons: Record<string, string> = {
  'native.assetKind': 'must have exactly one of title, img, video and data; got {kinds}',
  'native.assetIds': 'asset ids must be unique; {id} is used by assets[{first}] and assets[{second}]',
};

/** A broken rule, as Joi reports it. */
export interface BrokenRule {
  type: string;
  path: FieldPath;
  context?: RuleContext;
}

/** `root` is the value that was validated. */
export function fieldError({ type, path, context = {} }: BrokenRule, root: unknown): ErrorResponse {
  const name = rowFor(type, path);
  const { status, code, message, field, reason: template }: ErrorRow = fieldErrors[name];
  const reason = fillReason(template, { path, context, root });
  if (field === 'none') return { name, status, code, message, reason };
  return { name, status, code, message, field: formatPath(reportedPath(field, path, context)), reason };
}

/** Path and reason of a rule broken inside the text of `native.request`; `root` is the decoded native request. */
export function nativeProblem(broken: BrokenRule, root: unknown): { path: FieldPath; problem: string } {
  const { type, path, context = {} } = broken;
  const row: ErrorRow | undefined = fieldErrors[type as FieldErrorName];
  const problem = fillReason(nativeReasons[type] ?? row.reason, { path, context, root });
  return { path: row ? reportedPath(row.field, path, context) : path, problem };
}

function reportedPath(field: ErrorRow['field'], path: FieldPath, context: RuleContext): FieldPath {
  if (typeof field === 'function') return field(path, context);
  return field === 'parent' ? path.slice(0, -1) : path;
}

function rowFor(type: string, path: FieldPath): FieldErrorName {
  const forPath = `${type}@${formatPath(path).replaceAll(/\[\d+\]/g, '[]')}`;
  if (Object.hasOwn(fieldErrors, forPath)) return forPath as FieldErrorName;
  if (Object.hasOwn(fieldErrors, type)) return type as FieldErrorName;
  throw new Error(`the error table has no row for ${forPath}`);
}
