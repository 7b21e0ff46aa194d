/** Validates a parsed body: the result is a typed bid request or the one error to report. */
import type Joi from 'joi';
import type { BidRequest, Regs } from './bid-request.ts';
import { isObject } from '../json/guards.ts';
import { collectErrors } from './collect-errors.ts';
import type { ErrorResponse } from './error-row.ts';
import { compile, createCheckContext } from './fast-path/compile.ts';
import { fieldError } from './field-errors.ts';
import type { DecodedNativeRequest, NativeRequestCache } from './native-request.ts';
import { bidRequest } from './schema/bid-request.ts';
import { regs, regsInOrder } from './schema/regs.ts';
import { joiPreferences } from './schema/rules.ts';
import { validateWithJoi } from './schema/validate-with-joi.ts';

export interface ValidBidRequest {
  bidRequest: BidRequest;
  /** The decoded native requests of `bidRequest.imp`, in the same order. */
  natives: readonly DecodedNativeRequest[];
}

export type Validation = { valid: true; request: ValidBidRequest } | { valid: false; error: ErrorResponse };

const validateFully = validateWithJoi(bidRequest);
const { accepts } = compile(bidRequest);

/** The fast path accepts nearly all valid requests; Joi decides on the rest. Removes known members of `body` that are null. */
export function validateBidRequest(body: unknown): Validation {
  const context: NativeRequestCache = { natives: new Map() };
  if (accepts(body, createCheckContext(context))) return valid(body as BidRequest, context);
  const { value, error } = validateFully(body, context);
  if (error === undefined) return valid(value, context);
  const first = error.details[0]!;
  const reported = fieldError(earlierInRegs(first, body as BidRequest) ?? first, body);
  if (!isObject(body) || body.test !== 1) return { valid: false, error: reported };
  return { valid: false, error: { ...reported, errors: collectErrors(body, context) } };
}

function valid(request: BidRequest, { natives }: NativeRequestCache): Validation {
  const inOrder = request.imp.map(({ native }) => natives.get(native.request) as DecodedNativeRequest);
  return { valid: true, request: { bidRequest: request, natives: inOrder } };
}

/** Joi validates all of `regs.ext` before the 2.6 paths: finds an error at a 2.6 path that precedes the one found. */
function earlierInRegs(found: Joi.ValidationErrorItem, body: BidRequest): Joi.ValidationErrorItem | undefined {
  const [root, ...path] = found.path;
  if (root !== 'regs' || path[0] !== 'ext' || path.length < 2) return undefined;
  for (const earlier of regsInOrder) {
    if (earlier.join() === path.slice(0, 2).join()) return undefined;
    const key = earlier[0]!;
    if (key === 'ext') continue;
    const { error } = regs
      .extract(key)
      .prefs(joiPreferences)
      .validate(body.regs?.[key as keyof Regs]);
    const item = error?.details[0];
    if (item) return { ...item, path: ['regs', key, ...item.path] };
  }
  return undefined;
}
