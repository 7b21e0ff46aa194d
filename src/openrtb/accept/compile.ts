/** From a schema's own description to a check that accepts fast and never explains: what it declines is Joi's to judge. */
import type Joi from 'joi';
import { itemOf } from './item-of.ts';
import type { Accepts } from './pass.ts';
import { type RuleDescription, ruleOf } from './rules.ts';
import { typeOf } from './types.ts';

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

export function compile(schema: Joi.Schema): Compiled {
  const unknown: string[] = [];
  return { accepts: compileAt('', schema.describe(), unknown), unknown };
}

function compileAt(place: string, described: Described, unknown: string[]): Accepts {
  const before = unknown.length;
  for (const part of unknownParts(described)) unknown.push(`${place}: ${part}`);
  const isType = typeOf(described.type!, described.flags?.unsafe === true, described.allow ?? []);
  if (!isType) unknown.push(`${place}: type ${described.type}`);
  const rules = (described.rules ?? []).map((rule): Accepts => {
    const item = rule.args?.method && itemOf(rule.args.method);
    if (item) return itemsOf(compileAt(`${place}[]`, item.describe(), unknown));
    const known = ruleOf(described.type!, rule);
    if (!known) unknown.push(`${place}: rule ${rule.name}`);
    return known ?? decline;
  });
  const isKnown = unknown.length === before;
  const members = Object.entries(described.keys ?? {}).map(([name, member]): Member => ({
    name,
    accepts: compileAt(place === '' ? name : `${place}.${name}`, member, unknown),
    required: member.flags?.presence === 'required',
  }));
  if (!isType || !isKnown) return decline;
  return inOrder([isType, ...(members.length > 0 ? [membersOf(members)] : []), ...rules]);
}

const decline: Accepts = () => false;

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

interface Member {
  name: string;
  accepts: Accepts;
  required: boolean;
}

/** Members as the schema names them; others may be there, of any kind. */
function membersOf(members: readonly Member[]): Accepts {
  return (value, pass) => {
    const object = value as Record<string, unknown>;
    for (const { name, accepts, required } of members) {
      const member = object[name];
      if (member === undefined || member === null) {
        if (required) return false;
        if (member === null) delete object[name]; // null is absence, as Joi leaves it
      } else if (!accepts(member, pass)) return false;
    }
    return true;
  };
}

function itemsOf(accepts: Accepts): Accepts {
  return (value, pass) => {
    for (const item of value as unknown[]) if (item === null || !accepts(item, pass)) return false;
    return true;
  };
}

function inOrder(checks: readonly Accepts[]): Accepts {
  const [first, second, ...others] = checks;
  if (!second) return first!;
  if (others.length > 0) return inOrder([first!, inOrder([second, ...others])]);
  return (value, pass) => first!(value, pass) && second(value, pass);
}
