/** All errors of a request, for test mode. Joi reports those of objects; lists report those of their items themselves. */
import type Joi from 'joi';
import { isObject } from '../../json/guards.ts';
import type { FieldPath } from '../error-row.ts';
import type { BrokenRule } from '../field-errors.ts';

/** Joi's context while all errors are collected: lists add those of their items. */
export interface Collecting {
  collected?: BrokenRule[];
}

export interface ObjectDescription extends Joi.Description {
  keys?: Record<string, ObjectDescription>;
  rules?: { name: string; args?: { method?: Joi.CustomValidator } }[];
}

/** Joi applies no rule about an object one of whose members has an error. Such rules must take members of any type. */
export function missedRules(
  value: unknown,
  { keys, rules = [] }: ObjectDescription,
  found: readonly BrokenRule[],
  path: FieldPath = [],
): BrokenRule[] {
  if (!keys || !isObject(value)) return [];
  const inside = found.filter((broken) => path.every((part, at) => broken.path[at] === part));
  const missed: BrokenRule[] = [];
  for (const [key, member] of Object.entries(keys))
    missed.push(...missedRules(value[key], member, inside, [...path, key]));
  if (!inside.some((broken) => broken.path.length > path.length)) return missed;
  const given = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  const helpers = {
    error: (type: string, context?: Joi.Context) => new Broken({ type, path, ...(context && { context }) }),
  };
  for (const { args } of rules) {
    const result: unknown = args?.method?.(given, helpers as unknown as Joi.CustomHelpers);
    if (result instanceof Broken) missed.push(result.rule);
  }
  return missed;
}

/** What `helpers.error` returns. */
class Broken {
  readonly rule: BrokenRule;

  constructor(rule: BrokenRule) {
    this.rule = rule;
  }
}

/** Sorts broken rules by the order of the schema's members. A rule about an object follows those about its members. */
export function inSchemaOrder(rules: readonly BrokenRule[], description: ObjectDescription): BrokenRule[] {
  return rules
    .map((rule) => ({ rule, position: positionOf(rule.path, description) }))
    .toSorted((a, b) => compare(a.position, b.position))
    .map(({ rule }) => rule);
}

function positionOf(path: FieldPath, description: ObjectDescription): number[] {
  const position: number[] = [];
  let { keys } = description;
  for (const part of path) {
    if (!keys) return position;
    position.push(Object.keys(keys).indexOf(String(part)));
    ({ keys } = keys[String(part)] ?? {});
  }
  if (keys) position.push(Infinity);
  return position;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    if (a[at] !== b[at]) return a[at]! - b[at]!;
  }
  return 0;
}
