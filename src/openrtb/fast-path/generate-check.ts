/** Generates the JavaScript that checks one type or one rule of a Joi schema. */
import type Joi from 'joi';

export interface RuleDescription {
  name: string;
  args?: { limit?: unknown; regex?: string; options?: object; method?: Joi.CustomValidator };
}

/** Makes a function or a pattern available to the generated code and returns the expression for it. */
type AddReference = (reference: unknown) => string;

/** Code that returns false unless `variable` has the type, without conversion; undefined for an unsupported type. */
export function typeCheck(
  type: string,
  { unsafe, allow }: { unsafe: boolean; allow: readonly unknown[] },
  variable: string,
): string | undefined {
  if (type === 'string') {
    if (allow.length === 0) return `if (typeof ${variable} !== 'string' || ${variable} === '') return false;`;
    return allow.length === 1 && allow[0] === '' ? `if (typeof ${variable} !== 'string') return false;` : undefined;
  }
  if (allow.length > 0 || (type === 'number' && !unsafe)) return undefined;
  return otherTypes[type]?.(variable);
}

const otherTypes: Record<string, (variable: string) => string> = {
  any: () => '',
  /** Joi turns -0 into 0. Here -0 stays: both are written and compared alike. */
  number: (variable) => `if (!Number.isFinite(${variable})) return false;`,
  boolean: (variable) => `if (typeof ${variable} !== 'boolean') return false;`,
  array: (variable) => `if (!Array.isArray(${variable})) return false;`,
  object: (variable) =>
    `if (typeof ${variable} !== 'object' || ${variable} === null || Array.isArray(${variable})) return false;`,
};

/** Code that returns false unless `variable` satisfies the rule; undefined for an unsupported rule or form of it. */
export function ruleCheck(
  type: string,
  { name, args = {}, ...rest }: RuleDescription,
  variable: string,
  addReference: AddReference,
): string | undefined {
  if (Object.keys(rest).length > 0) return undefined;
  // A custom rule is called directly. One that changes the value is left to Joi.
  if (name === 'custom')
    return args.method && `if (${addReference(args.method)}(${variable}, context) !== ${variable}) return false;`;
  if (name === 'pattern' && type === 'string') {
    const pattern = plainPattern(args.regex!, args.options ?? {});
    return pattern && `if (!${addReference(pattern)}.test(${variable})) return false;`;
  }
  if (name === 'integer' && type === 'number') return `if (!Number.isInteger(${variable})) return false;`;
  const check = limitChecks[type]?.[name];
  return check && typeof args.limit === 'number' ? check(variable, args.limit, addReference) : undefined;
}

function plainPattern(text: string, options: object): RegExp | undefined {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(text)!;
  const pattern = new RegExp(source!, flags);
  const isPlain = Object.keys(options).every((option) => option === 'name') && !pattern.global && !pattern.sticky;
  return isPlain ? pattern : undefined;
}

type LimitChecks = Record<string, (variable: string, limit: number, addReference: AddReference) => string>;

const lengthChecks: LimitChecks = {
  min: (variable, limit) => `if (${variable}.length < ${limit}) return false;`,
  max: (variable, limit) => `if (${variable}.length > ${limit}) return false;`,
};

const limitChecks: Record<string, LimitChecks> = {
  string: lengthChecks,
  array: lengthChecks,
  number: {
    min: (variable, limit) => `if (${variable} < ${limit}) return false;`,
    max: (variable, limit) => `if (${variable} > ${limit}) return false;`,
    precision: (variable, limit, addReference) =>
      `if (!${addReference(hasAtMostDecimals)}(${variable}, ${limit})) return false;`,
  },
};

/** False for numbers written with an exponent: Joi decides on them. */
function hasAtMostDecimals(value: number, maxDecimals: number): boolean {
  if (Number.isInteger(value)) return true;
  const text = String(value);
  return !text.includes('e') && text.length - text.indexOf('.') - 1 <= maxDecimals;
}
