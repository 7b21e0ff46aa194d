/** The rules of Joi that the compiled check knows, by the type that they stand on. */
import type Joi from 'joi';

export interface RuleDescription {
  name: string;
  args?: { limit?: unknown; regex?: string; options?: object; method?: Joi.CustomValidator };
}

/**
 * Code that returns false unless `name` keeps the rule; undefined for a rule that is not known, or not in this form.
 * `hold` keeps a thing for the code and returns how it is called there.
 */
export function ruleCode(
  type: string,
  rule: RuleDescription,
  name: string,
  hold: (thing: unknown) => string,
): string | undefined {
  const { name: ruleName, args = {}, ...rest } = rule;
  if (Object.keys(rest).length > 0) return undefined;
  // A rule of ours is asked itself. One that changes the value is left to Joi.
  if (ruleName === 'custom') return args.method && `if (${hold(args.method)}(${name}, pass) !== ${name}) return false;`;
  if (ruleName === 'pattern' && type === 'string') {
    const pattern = plainPattern(args.regex!, args.options ?? {});
    return pattern && `if (!${hold(pattern)}.test(${name})) return false;`;
  }
  if (ruleName === 'integer' && type === 'number') return `if (!Number.isInteger(${name})) return false;`;
  const byLimit = limits[type]?.[ruleName];
  return byLimit && typeof args.limit === 'number' ? byLimit(name, args.limit, hold) : undefined;
}

function plainPattern(text: string, options: object): RegExp | undefined {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(text)!;
  const pattern = new RegExp(source!, flags);
  const isPlain = Object.keys(options).every((option) => option === 'name') && !pattern.global && !pattern.sticky;
  return isPlain ? pattern : undefined;
}

type ByLimit = Record<string, (name: string, limit: number, hold: (thing: unknown) => string) => string>;

const byLength: ByLimit = {
  min: (name, limit) => `if (${name}.length < ${limit}) return false;`,
  max: (name, limit) => `if (${name}.length > ${limit}) return false;`,
};

const limits: Record<string, ByLimit> = {
  string: byLength,
  array: byLength,
  number: {
    min: (name, limit) => `if (${name} < ${limit}) return false;`,
    max: (name, limit) => `if (${name} > ${limit}) return false;`,
    precision: (name, limit, hold) => `if (!${hold(hasAtMostDecimals)}(${name}, ${limit})) return false;`,
  },
};

/** Numbers that are written with an exponent are left to Joi. */
function hasAtMostDecimals(value: number, most: number): boolean {
  if (Number.isInteger(value)) return true;
  const text = String(value);
  return !text.includes('e') && text.length - text.indexOf('.') - 1 <= most;
}
