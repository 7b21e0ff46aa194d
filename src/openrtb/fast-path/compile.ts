/** Compiles a Joi schema to a fast check that accepts valid values. Joi decides on everything else and explains it. */
import type Joi from 'joi';
import { ruleCheck, type RuleDescription, typeCheck } from './generate-check.ts';

/** Takes the place of Joi's helpers for custom rules: it marks an error without describing it. */
export interface CheckContext {
  error: () => symbol;
  prefs: { context: object };
}

const rejected = Symbol('rejected');
const reject = () => rejected;

/** `context` is what custom rules find in `helpers.prefs.context`. */
export const createCheckContext = (context: object): CheckContext => ({ error: reject, prefs: { context } });

export interface CompiledSchema {
  /** True only for valid values; false means that Joi must decide. Removes known members that are null. */
  accepts: (value: unknown, context: CheckContext) => boolean;
  /** The parts of the schema that the compiler does not support, by path. Values at these paths are never accepted. */
  unsupported: string[];
}

const itemSchemas = new WeakMap<object, Joi.Schema>();

/** The schema of the items that a custom rule validates: in a description the rule is only a function. */
export const itemSchemaOf = (rule: object): Joi.Schema | undefined => itemSchemas.get(rule);

export const setItemSchema = (rule: object, item: Joi.Schema): void => {
  itemSchemas.set(rule, item);
};

/** The result is the text of one function: nested closures take more than twice the time. */
export function compile(schema: Joi.Schema): CompiledSchema {
  const { references, unsupported, code } = new SchemaCompiler(schema);
  // eslint-disable-next-line no-new-func, typescript/no-implied-eval -- generated from our own schemas, with quoted names
  const accepts = new Function('references', 'value', 'context', `${code}\nreturn true;`) as (
    references: unknown[],
    value: unknown,
    context: CheckContext,
  ) => boolean;
  return { accepts: (value, context) => accepts(references, value, context), unsupported };
}

/** The parts of Joi's description that the compiler supports. */
interface SchemaDescription extends Joi.Description {
  flags?: { empty?: Joi.Description; presence?: string; unsafe?: boolean };
  rules?: RuleDescription[];
  keys?: Record<string, SchemaDescription>;
}

class SchemaCompiler {
  readonly unsupported: string[] = [];
  /** The functions and patterns that the code uses, by index. */
  readonly references: unknown[] = [];
  readonly code: string;
  #variables = 0;

  constructor(schema: Joi.Schema) {
    this.code = this.#check('', schema.describe(), 'value');
  }

  /** Code that returns false unless `variable` holds a value that the schema describes. */
  #check(path: string, description: SchemaDescription, variable: string): string {
    const { type, flags, allow = [], rules = [], keys = {} } = description;
    const unsupported = [...unsupportedParts(description)];
    const ofType = typeCheck(type!, { unsafe: flags?.unsafe === true, allow }, variable);
    if (ofType === undefined) unsupported.push(`type ${type}`);
    const ofRules = rules.map((rule) => {
      const code =
        this.#items(path, rule, variable) ??
        ruleCheck(type!, rule, variable, (reference) => this.#addReference(reference));
      if (code === undefined) unsupported.push(`rule ${rule.name}`);
      return code;
    });
    const ofMembers = Object.entries(keys).map(([key, member]) => this.#member(path, key, member, variable));
    this.unsupported.push(...unsupported.map((part) => `${path}: ${part}`));
    if (unsupported.length > 0) return 'return false;';
    return [ofType, ...ofMembers, ...ofRules].join('\n');
  }

  /** A member of the object in `object`. Null counts as absent, as in the schemas. */
  #member(path: string, key: string, member: SchemaDescription, object: string): string {
    const variable = this.#newVariable();
    const access = `${object}[${JSON.stringify(key)}]`;
    const absent =
      member.flags?.presence === 'required' ? 'return false;' : `if (${variable} === null) delete ${access};`;
    const check = this.#check(path === '' ? key : `${path}.${key}`, member, variable);
    return `const ${variable} = ${access};
if (${variable} === undefined || ${variable} === null) { ${absent} } else {
${check}
}`;
  }

  #items(path: string, { args }: RuleDescription, array: string): string | undefined {
    const item = args?.method && itemSchemaOf(args.method);
    if (!item) return undefined;
    const variable = this.#newVariable();
    return `for (const ${variable} of ${array}) {
if (${variable} === null) return false;
${this.#check(`${path}[]`, item.describe(), variable)}
}`;
  }

  #newVariable(): string {
    return `v${this.#variables++}`;
  }

  #addReference(reference: unknown): string {
    return `references[${this.references.push(reference) - 1}]`;
  }
}

const supportedParts = new Set(['type', 'flags', 'allow', 'rules', 'keys']);
/** `error` changes only how an error is reported. */
const supportedFlags = new Set(['empty', 'presence', 'unsafe', 'error']);

function* unsupportedParts({ flags = {}, ...parts }: SchemaDescription): Generator<string> {
  for (const part of Object.keys(parts)) if (!supportedParts.has(part)) yield part;
  for (const flag of Object.keys(flags)) if (!supportedFlags.has(flag)) yield `flag ${flag}`;
  if (!isNullOnly(flags.empty)) yield 'flag empty, other than null';
  if (!['required', 'optional', undefined].includes(flags.presence)) yield `presence ${flags.presence}`;
}

const isNullOnly = (empty: Joi.Description | undefined): boolean =>
  empty?.type === 'any' &&
  'only' in (empty.flags ?? {}) &&
  empty.allow?.length === 1 &&
  (empty.allow as unknown[])[0] === null;
