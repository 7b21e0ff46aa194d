/** The fast path and Joi agree: every value that the fast path accepts is valid for Joi, with the same result. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Joi from 'joi';
import { compile, createCheckContext } from '../../src/openrtb/fast-path/compile.ts';
import type { NativeRequestCache } from '../../src/openrtb/native-request.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { bidRequest } from '../../src/openrtb/schema/bid-request.ts';
import { nativeRequest } from '../../src/openrtb/schema/native-request.ts';
import { integer, joiPreferences, object, string } from '../../src/openrtb/schema/rules.ts';
import { caseBodies } from '../support/case-bodies.ts';
import { fullRequest } from '../support/full-request.ts';
import { mutated } from '../support/mutate.ts';

const mutations = Number(process.env.MUTATIONS ?? 100_000);

const { accepts } = compile(bidRequest);
const schema = bidRequest.prefs(joiPreferences);

interface Result {
  value: unknown;
  natives: unknown;
}

/** The result of the fast path, which may change the value; undefined if it does not accept it. */
function accepted(value: unknown): Result | undefined {
  const context: NativeRequestCache = { natives: new Map() };
  return accepts(value, createCheckContext(context)) ? { value, natives: context.natives } : undefined;
}

/** The result of Joi; undefined if the value is invalid. */
function validated(body: unknown): Result | undefined {
  const context: NativeRequestCache = { natives: new Map() };
  const { value, error } = schema.validate(body, { context });
  return error ? undefined : { value, natives: context.natives };
}

const texts = [JSON.stringify(fullRequest), ...caseBodies()];
const valid = texts.filter((text) => validated(parseJson(text)));
const isShort = (text: string) => text.length < 10_000;

test('the fast path accepts the body of every valid case', () => {
  expect(valid.length).toBeGreaterThan(200);
  expect(valid.filter((text) => !accepted(parseJson(text)))).toEqual([]);
});

test('the fast path accepts the body of no invalid case', () => {
  const invalid = texts.filter((text) => !valid.includes(text));
  expect(invalid.length).toBeGreaterThan(200);
  expect(invalid.filter((text) => accepted(parseJson(text)))).toEqual([]);
});

test(`of ${mutations} mutated requests, Joi accepts each that the fast path accepts, with the same result`, () => {
  let acceptedCount = 0;
  const bodies = fc.constantFrom(...valid.filter(isShort).map((text) => parseJson(text))).chain(mutated);
  fc.assert(
    fc.property(bodies, (body) => {
      const text = JSON.stringify(body);
      const fast = accepted(parseJson(text));
      if (!fast) return true;
      acceptedCount++;
      return isDeepStrictEqual(fast, validated(parseJson(text)));
    }),
    { numRuns: mutations },
  );
  expect(acceptedCount / mutations).toBeGreaterThan(0.05);
}, 3_600_000);

test('negative zero is accepted and written as zero', () => {
  const text = JSON.stringify(fullRequest).replace('"bidfloor":', '"bidfloor":-0,"old":');
  expect(text).toContain(':-0,');
  expect(JSON.stringify(accepted(parseJson(text))!.value)).toBe(JSON.stringify(validated(parseJson(text))!.value));
});

describe('parts of a schema that the compiler does not support', () => {
  test('do not occur in the schemas of the exchange', () => {
    expect(compile(bidRequest).unsupported).toEqual([]);
    expect(compile(nativeRequest).unsupported).toEqual([]);
  });

  test.each<[string, Joi.Schema, unknown, string[]]>([
    ['a type', object({ a: Joi.date().empty(null) }), { a: '2026-11-15' }, ['a: type date']],
    ['a rule', object({ a: string().uri() }), { a: 'https://a.example' }, ['a: rule uri']],
    ['a rule by reference', object({ a: integer().min(Joi.ref('$minimum')) }), { a: 1 }, ['a: rule min']],
    ['an inverted pattern', object({ a: string().pattern(/x/, { invert: true }) }), { a: 'y' }, ['a: rule pattern']],
    ['a message of its own', object({ a: integer().min(1).message('no') }), { a: 1 }, ['a: rule min']],
    ['a flag', object({ a: string().strip() }), { a: 'y' }, ['a: flag result']],
    ['a default', object({ a: string().default('z') }), { a: 'y' }, ['a: flag default']],
    ['a dependency', object({ a: string(), b: string() }).and('a', 'b'), { a: 'y', b: 'y' }, [': dependencies']],
    ['values allowed', object({ a: string().valid('y') }), { a: 'y' }, ['a: flag only', 'a: type string']],
    ['numbers within the safe range', object({ a: Joi.number().empty(null) }), { a: 1 }, ['a: type number']],
    ['null as a value', object({ a: Joi.string() }), { a: 'y' }, ['a: flag empty, other than null']],
  ])('%s is listed and left to Joi', (_name, schema, value, unsupported) => {
    const compiled = compile(schema);
    expect(schema.validate(value, { context: { minimum: 1 } }).error).toBeUndefined();
    expect(compiled.accepts(value, createCheckContext({}))).toBe(false);
    expect(compiled.unsupported).toEqual(unsupported);
  });
});
