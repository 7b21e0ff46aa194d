/** From a schema's own description to a check that accepts fast and never explains: what it declines is Joi's to judge. */
import type Joi from 'joi';
import { itemOf } from './item-of.ts';
import type { Accepts, CheckContext } from './check-context.ts';
import { type RuleDescription, ruleCode } from './rules.ts';
import { typeCode } from './types.ts';

export interface Compiled {
  accepts: Accepts;
  /** What in the schema the compiler does not know, by place; no value that comes there is accepted. */
  unknown: string[];
}

/** The parts of Joi's description that are understood. */
interface Described extends Joi.Description {
  flags?: { empty?: Joi.Description; presence?: string; unsafe?: boolean };
  rules?: RuleDescription[];
  keys?: Record<string, Described>;
}

/** As the text of one function: nested functions in its stead take more than twice the time. */
export function compile(schema: Joi.Schema): Compiled {
  const compilation = new Compilation();
  const code = compilation.check('', schema.describe(), 'value');
  // eslint-disable-next-line no-new-func, typescript/no-implied-eval -- made of our own schemas, names in quotes
  const accepts = new Function('things', 'value', 'pass', `${code}\nreturn true;`) as (
    things: unknown[],
    value: unknown,
    pass: CheckContext,
  ) => boolean;
  const { things, unknown } = compilation;
  return { accepts: (value, pass) => accepts(things, value, pass), unknown };
}

class Compilation {
  readonly unknown: string[] = [];
  /** Functions and patterns that the code refers to by number. */
  readonly things: unknown[] = [];
  #variables = 0;

  /** Code that returns false unless the variable of that name holds what the schema describes, at a place of the schema. */
  check(place: string, described: Described, name: string): string {
    const unknownHere = [...unknownParts(described)];
    const type = typeCode(described.type!, described.flags?.unsafe === true, described.allow ?? [], name);
    if (type === undefined) unknownHere.push(`type ${described.type}`);
    const rules = (described.rules ?? []).map((rule) => {
      const code =
        this.#items(place, rule, name) ?? ruleCode(described.type!, rule, name, (thing) => this.#hold(thing));
      if (code === undefined) unknownHere.push(`rule ${rule.name}`);
      return code;
    });
    const members = Object.entries(described.keys ?? {}).map(([key, member]) => this.#member(place, key, member, name));
    this.unknown.push(...unknownHere.map((what) => `${place}: ${what}`));
    if (unknownHere.length > 0) return 'return false;';
    return [type, ...members, ...rules].join('\n');
  }

  /** A member of the object in `name`; others may be there, of any kind. Null is absence, as Joi leaves it. */
  #member(place: string, key: string, member: Described, name: string): string {
    const variable = `v${this.#variables++}`;
    const access = `${name}[${JSON.stringify(key)}]`;
    const absent =
      member.flags?.presence === 'required' ? 'return false;' : `if (${variable} === null) delete ${access};`;
    const check = this.check(place === '' ? key : `${place}.${key}`, member, variable);
    return `const ${variable} = ${access};
if (${variable} === undefined || ${variable} === null) { ${absent} } else {
${check}
}`;
  }

  #items(place: string, { args }: RuleDescription, name: string): string | undefined {
    const item = args?.method && itemOf(args.method);
    if (!item) return undefined;
    const variable = `v${this.#variables++}`;
    return `for (const ${variable} of ${name}) {
if (${variable} === null) return false;
${this.check(`${place}[]`, item.describe(), variable)}
}`;
  }

  #hold(thing: unknown): string {
    return `things[${this.things.push(thing) - 1}]`;
  }
}

const partsKnown = new Set(['type', 'flags', 'allow', 'rules', 'keys']);
const flagsKnown = new Set(['empty', 'presence', 'unsafe']);

function* unknownParts({ flags = {}, ...parts }: Described): Generator<string> {
  for (const part of Object.keys(parts)) if (!partsKnown.has(part)) yield part;
  for (const flag of Object.keys(flags)) if (!flagsKnown.has(flag)) yield `flag ${flag}`;
  if (!isNullAlone(flags.empty)) yield 'flag empty, other than null';
  if (!['required', 'optional', undefined].includes(flags.presence)) yield `presence ${flags.presence}`;
}

const isNullAlone = (empty: Joi.Description | undefined): boolean =>
  empty?.type === 'any' &&
  'only' in (empty.flags ?? {}) &&
  empty.allow?.length === 1 &&
  (empty.allow as unknown[])[0] === null;
