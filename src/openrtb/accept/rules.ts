/** The rules of Joi that the compiled check knows, by the type that they stand on. */
import type Joi from 'joi';
import type { Accepts } from './pass.ts';

export interface RuleDescription {
  name: string;
  args?: { limit?: unknown; regex?: string; options?: object; method?: Joi.CustomValidator };
}

/** Undefined for a rule that is not known, or not in this form. */
export function ruleOf(type: string, rule: RuleDescription): Accepts | undefined {
  const { name, args = {}, ...rest } = rule;
  if (Object.keys(rest).length > 0) return undefined;
  if (name === 'custom') return args.method && custom(args.method);
  if (name === 'pattern' && type === 'string') return pattern(args.regex!, args.options ?? {});
  if (name === 'integer' && type === 'number') return (value) => Number.isInteger(value);
  const byLimit = limits[type]?.[name];
  return byLimit && typeof args.limit === 'number' ? byLimit(args.limit) : undefined;
}

/** A rule of ours is asked itself. One that changes the value is left to Joi. */
function custom(method: Joi.CustomValidator): Accepts {
  return (value, pass) => method(value, pass as unknown as Joi.CustomHelpers) === value;
}

function pattern(text: string, options: object): Accepts | undefined {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(text)!;
  const expression = new RegExp(source!, flags);
  const isPlain = Object.keys(options).every((option) => option === 'name');
  return isPlain && !expression.global && !expression.sticky ? (value) => expression.test(value as string) : undefined;
}

type ByLimit = Record<string, (limit: number) => Accepts>;

const byLength: ByLimit = {
  min: (limit) => (value) => (value as { length: number }).length >= limit,
  max: (limit) => (value) => (value as { length: number }).length <= limit,
};

const limits: Record<string, ByLimit> = {
  string: byLength,
  array: byLength,
  number: {
    min: (limit) => (value) => (value as number) >= limit,
    max: (limit) => (value) => (value as number) <= limit,
    precision: (limit) => (value) => Number.isInteger(value) || hasAtMostDecimals(String(value), limit),
  },
};

/** Numbers that are written with an exponent are left to Joi. */
const hasAtMostDecimals = (text: string, most: number): boolean =>
  !text.includes('e') && text.length - text.indexOf('.') - 1 <= most;
