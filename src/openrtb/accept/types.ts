/** The types of Joi that the compiled check knows, without conversion. */
import type { Accepts } from './pass.ts';

/** `unsafe` and `allow` as the schema has them; undefined for what is not known. */
export function typeOf(type: string, unsafe: boolean, allow: readonly unknown[]): Accepts | undefined {
  if (type === 'string') {
    if (allow.length === 0) return (value) => typeof value === 'string' && value !== '';
    return allow.length === 1 && allow[0] === '' ? (value) => typeof value === 'string' : undefined;
  }
  if (allow.length > 0) return undefined;
  if (type === 'number') return unsafe ? isNumber : undefined;
  return others[type];
}

/** Joi makes 0 of -0. */
const isNumber: Accepts = (value) => Number.isFinite(value) && !Object.is(value, -0);

const others: Record<string, Accepts> = {
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};
