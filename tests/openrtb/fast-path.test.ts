/** The compiled check and Joi agree: what the one accepts is valid to the other, and comes out the same. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Joi from 'joi';
import { compile } from '../../src/openrtb/fast-path/compile.ts';
import { createCheckContext } from '../../src/openrtb/fast-path/check-context.ts';
import { joiPreferences } from '../../src/openrtb/joi-preferences.ts';
import type { DecodedNatives } from '../../src/openrtb/native-request.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { bidRequest } from '../../src/openrtb/schema/bid-request.ts';
import { nativeRequest } from '../../src/openrtb/schema/native-request.ts';
import { integer, object, string } from '../../src/openrtb/schema/rules.ts';
import { exemplarTexts } from '../support/exemplar-bodies.ts';
import { fullRequest } from '../support/full-request.ts';
import { mutated } from '../support/mutate.ts';

const mutations = Number(process.env.MUTATIONS ?? 100_000);

const { accepts } = compile(bidRequest);
const schema = bidRequest.prefs(joiPreferences);

interface Seen {
  value: unknown;
  natives: unknown;
}

/** What the compiled check makes of a value, which it may change: undefined where it declines. */
function accepted(value: unknown): Seen | undefined {
  const context: DecodedNatives = { natives: new Map() };
  return accepts(value, createCheckContext(context)) ? { value, natives: context.natives } : undefined;
}

/** Likewise Joi. */
function validated(body: unknown): Seen | undefined {
  const context: DecodedNatives = { natives: new Map() };
  const { value, error } = schema.validate(body, { context });
  return error ? undefined : { value, natives: context.natives };
}

const texts = [JSON.stringify(fullRequest), ...exemplarTexts()];
const valid = texts.filter((text) => validated(parseJson(text)));
const isReadable = (text: string) => text.length < 10_000;

test('every exemplar that is valid is accepted without Joi', () => {
  expect(valid.length).toBeGreaterThan(200);
  expect(valid.filter((text) => !accepted(parseJson(text)))).toEqual([]);
});

test('no exemplar that is invalid is accepted', () => {
  const invalid = texts.filter((text) => !valid.includes(text));
  expect(invalid.length).toBeGreaterThan(200);
  expect(invalid.filter((text) => accepted(parseJson(text)))).toEqual([]);
});

test(`of ${mutations} mutated requests all that are accepted are valid, with the same value`, () => {
  let agreed = 0;
  const bodies = fc.constantFrom(...valid.filter(isReadable).map(parseJson)).chain(mutated);
  fc.assert(
    fc.property(bodies, (body) => {
      const text = JSON.stringify(body);
      const fast = accepted(parseJson(text));
      if (!fast) return true;
      agreed++;
      return isDeepStrictEqual(fast, validated(parseJson(text)));
    }),
    { numRuns: mutations },
  );
  expect(agreed / mutations).toBeGreaterThan(0.05);
}, 3_600_000);

test('a zero with a sign is accepted, and written as zero', () => {
  const text = JSON.stringify(fullRequest).replace('"bidfloor":', '"bidfloor":-0,"was":');
  expect(text).toContain(':-0,');
  expect(JSON.stringify(accepted(parseJson(text))!.value)).toBe(JSON.stringify(validated(parseJson(text))!.value));
});

describe('what the compiler does not know', () => {
  test('is nothing in the schemas of the exchange', () => {
    expect(compile(bidRequest).unknown).toEqual([]);
    expect(compile(nativeRequest).unknown).toEqual([]);
  });

  test.each<[string, Joi.Schema, unknown, string[]]>([
    ['a type', object({ a: Joi.date().empty(null) }), { a: '2026-11-15' }, ['a: type date']],
    ['a rule', object({ a: string().uri() }), { a: 'https://a.example' }, ['a: rule uri']],
    ['a rule by reference', object({ a: integer().min(Joi.ref('$least')) }), { a: 1 }, ['a: rule min']],
    ['a pattern turned round', object({ a: string().pattern(/x/, { invert: true }) }), { a: 'y' }, ['a: rule pattern']],
    ['an error of its own', object({ a: integer().min(1).message('no') }), { a: 1 }, ['a: rule min']],
    ['a flag', object({ a: string().strip() }), { a: 'y' }, ['a: flag result']],
    ['a default', object({ a: string().default('z') }), { a: 'y' }, ['a: flag default']],
    ['a dependency', object({ a: string(), b: string() }).and('a', 'b'), { a: 'y', b: 'y' }, [': dependencies']],
    ['values allowed', object({ a: string().valid('y') }), { a: 'y' }, ['a: flag only', 'a: type string']],
    ['numbers within the safe range', object({ a: Joi.number().empty(null) }), { a: 1 }, ['a: type number']],
    ['null as a value', object({ a: Joi.string() }), { a: 'y' }, ['a: flag empty, other than null']],
  ])('%s: is listed, and left to Joi', (_name, schema, value, unknown) => {
    const compiled = compile(schema);
    expect(schema.validate(value, { context: { least: 1 } }).error).toBeUndefined();
    expect(compiled.accepts(value, createCheckContext({}))).toBe(false);
    expect(compiled.unknown).toEqual(unknown);
  });
});
