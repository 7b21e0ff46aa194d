/** The shape of an error: a row of the error table, and the response made from it. */

export type ErrorCode =
  | 'INVALID_REQUEST'
  | 'MISSING_REQUIRED_FIELD'
  | 'INVALID_FIELD_VALUE'
  | 'INVALID_FIELD_TYPE'
  | 'UNSUPPORTED_FORMAT'
  | 'PAYLOAD_TOO_LARGE'
  | 'REQUEST_TIMEOUT'
  | 'RATE_LIMIT_EXCEEDED'
  | 'UNAUTHORIZED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE';

export type FieldPath = readonly (string | number)[];

/** What Joi or one of our rules reports beside the type of an error: `value`, `limit` and the like. */
export type RuleContext = Readonly<Record<string, unknown>>;

/** Which field the error reports, from the path at which the rule failed. */
export type ReportedField = 'none' | 'itself' | 'parent' | ((path: FieldPath, context: RuleContext) => FieldPath);

export interface ErrorRow {
  status: number;
  code: ErrorCode;
  message: string;
  field: ReportedField;
  /** A template: `{limit}` and the like are filled in for each error. */
  reason: string;
}

/** One error, ready to be sent. */
export interface ErrorResponse {
  /** The name of its row in the error table. */
  name: string;
  status: number;
  /** The second one is only counted and logged: its client has left. */
  code: ErrorCode | 'CLIENT_CLOSED_REQUEST';
  message: string;
  field?: string;
  reason: string;
  /** In test mode, every error of the request, this one first. */
  errors?: { code: string; field?: string; reason: string }[];
}

export const errorRow = (status: number, code: ErrorCode, message: string, reason: string): ErrorRow => ({
  status,
  code,
  message,
  field: 'none',
  reason,
});

const fieldRow =
  (code: ErrorCode, message: string) =>
  (reason: string, field: ReportedField = 'itself'): ErrorRow => ({ status: 400, code, message, field, reason });

export const invalidRequest = (message: string, field: ReportedField, reason: string): ErrorRow =>
  fieldRow('INVALID_REQUEST', message)(reason, field);
export const unsupported = (message: string, field: ReportedField, reason: string): ErrorRow =>
  fieldRow('UNSUPPORTED_FORMAT', message)(reason, field);
export const missing = fieldRow('MISSING_REQUIRED_FIELD', 'Required field missing');
export const wrongType = fieldRow('INVALID_FIELD_TYPE', 'Invalid field type');
export const wrongValue = fieldRow('INVALID_FIELD_VALUE', 'Invalid field value');

/** `['imp', 0, 'native', 'request']` as `imp[0].native.request`. */
export function formatPath(path: FieldPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}
