/** The station "validate": parsed JSON in, a typed bid request or the one error to report out. */
import type Joi from 'joi';
import { compile } from './fast-path/compile.ts';
import { createCheckContext } from './fast-path/check-context.ts';
import type { BidRequest } from './bid-request.ts';
import type { ErrorResponse } from './error-row.ts';
import { fieldError } from './field-errors.ts';
import { joiPreferences } from './joi-preferences.ts';
import type { DecodedNativeRequest, DecodedNatives } from './native-request.ts';
import { bidRequest } from './schema/bid-request.ts';
import { regs, regsInOrder } from './schema/regs.ts';

export interface ValidBidRequest {
  bidRequest: BidRequest;
  /** The native requests of `bidRequest.imp`, in its order. */
  natives: readonly DecodedNativeRequest[];
}

export type Validation = { valid: true; request: ValidBidRequest } | { valid: false; error: ErrorResponse };

const schema = bidRequest.prefs(joiPreferences);
const { accepts } = compile(bidRequest);

/** Accepts fast what is certainly valid; all else Joi decides and explains. Takes known members that are null out of `body`. */
export function validateBidRequest(body: unknown): Validation {
  const context: DecodedNatives = { natives: new Map() };
  if (accepts(body, createCheckContext(context))) return valid(body as BidRequest, context);
  const { value, error } = schema.validate(body, { context });
  if (error === undefined) return valid(value, context);
  const first = error.details[0]!;
  const { type, path, context: known, message } = earlierInRegs(first, body as BidRequest) ?? first;
  return { valid: false, error: fieldError(type, path, known ?? {}, message) };
}

function valid(request: BidRequest, { natives }: DecodedNatives): Validation {
  const inOrder = request.imp.map(({ native }) => natives.get(native.request) as DecodedNativeRequest);
  return { valid: true, request: { bidRequest: request, natives: inOrder } };
}

/** Joi judges all of `regs.ext` before its 2.6 twins: look for an error at a place that is to be judged before this one. */
function earlierInRegs(found: Joi.ValidationErrorItem, body: BidRequest): Joi.ValidationErrorItem | undefined {
  const [root, ...place] = found.path;
  if (root !== 'regs' || place[0] !== 'ext' || place.length < 2) return undefined;
  for (const earlier of regsInOrder) {
    if (earlier.join() === place.slice(0, 2).join()) return undefined;
    if (earlier[0] === 'ext') continue;
    const key = earlier[0] as keyof BidRequest['regs'];
    const { error } = regs.extract(earlier.join('.')).prefs(joiPreferences).validate(body.regs?.[key]);
    const item = error?.details[0];
    if (item) return { ...item, path: ['regs', ...earlier, ...item.path] };
  }
  return undefined;
}
