/** What a row of the error table holds, and the constructors for its rows. Joi words the reasons from here. */

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
export type Blame = 'none' | 'itself' | 'parent' | ((at: FieldPath, known: Record<string, unknown>) => FieldPath);

export interface ErrorRow {
  status: number;
  code: ErrorCode;
  message: string;
  blames: Blame;
  /** Joi's template language; `{#limit}` and the like are filled with what the rule knew. */
  reason: string;
}

export const invalidRequest = (message: string, blames: Blame, reason: string): ErrorRow => ({
  status: 400,
  code: 'INVALID_REQUEST',
  message,
  blames,
  reason,
});
export const missing = (blames: Blame, reason: string): ErrorRow => ({
  status: 400,
  code: 'MISSING_REQUIRED_FIELD',
  message: 'Required field missing',
  blames,
  reason,
});
export const wrongType = (reason: string): ErrorRow => ({
  status: 400,
  code: 'INVALID_FIELD_TYPE',
  message: 'Invalid field type',
  blames: 'itself',
  reason,
});
export const wrongValue = (reason: string, blames: Blame = 'itself'): ErrorRow => ({
  status: 400,
  code: 'INVALID_FIELD_VALUE',
  message: 'Invalid field value',
  blames,
  reason,
});
export const unsupported = (message: string, blames: Blame, reason: string): ErrorRow => ({
  status: 400,
  code: 'UNSUPPORTED_FORMAT',
  message,
  blames,
  reason,
});
export const errorRow = (status: number, code: ErrorCode, message: string, reason: string): ErrorRow => ({
  status,
  code,
  message,
  blames: 'none',
  reason,
});

/** One error, ready to be answered. */
export interface ErrorResponse {
  /** The row of the error table. */
  name: string;
  status: number;
  code: ErrorCode;
  message: string;
  field?: string;
  reason: string;
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
