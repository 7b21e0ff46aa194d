/** All errors of a request, for test mode. Joi reports those of objects; lists report those of their items themselves. */
import type Joi from 'joi';
import type { FieldPath } from '../error-row.ts';
import type { BrokenRule } from '../field-errors.ts';

/** Enough to correct a request; more would only take time. */
export const maxErrors = 100;

/** Joi's context while all errors are collected: lists add those of their items. */
export interface Collecting {
  collected?: BrokenRule[];
}

export interface ObjectDescription extends Joi.Description {
  keys?: Record<string, ObjectDescription>;
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
