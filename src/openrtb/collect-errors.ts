/** Every error of an invalid request, in the order in which they would be reported one by one. For test mode. */
import type { JsonObject } from '../json/guards.ts';
import type { ErrorResponse } from './error-row.ts';
import { type BrokenRule, fieldError } from './field-errors.ts';
import type { NativeRequestCache } from './native-request.ts';
import { bidRequest, rulesAcrossFields } from './schema/bid-request.ts';
import { maxReportedErrors } from '../contract/api-limits.ts';
import { regsInOrder } from './schema/regs.ts';
import { collectWithJoi } from './schema/validate-with-joi.ts';

const collect = collectWithJoi(bidRequest);

/** `context` has what the validation has decoded. */
export function collectErrors(body: JsonObject, context: NativeRequestCache): NonNullable<ErrorResponse['errors']> {
  const found = withRegsInOrder(collect(body, context).filter(({ path }) => path.length > 0));
  return [...found, ...rulesAcrossFields(body)].slice(0, maxReportedErrors).map((rule) => {
    const { code, field, reason } = fieldError(rule, body);
    return field === undefined ? { code, reason } : { code, field, reason };
  });
}

/** Joi reports all of `regs.ext` before the 2.6 paths. */
function withRegsInOrder(rules: readonly BrokenRule[]): BrokenRule[] {
  const first = rules.findIndex(isInRegs);
  if (first === -1) return [...rules];
  const regs = rules.filter(isInRegs).toSorted((a, b) => positionInRegs(a) - positionInRegs(b));
  return [...rules.slice(0, first), ...regs, ...rules.slice(first).filter((rule) => !isInRegs(rule))];
}

const isInRegs = ({ path }: BrokenRule): boolean => path[0] === 'regs' && path.length > 1;

const positionInRegs = ({ path }: BrokenRule): number =>
  regsInOrder.findIndex((member) => member.every((part, at) => path[at + 1] === part));
