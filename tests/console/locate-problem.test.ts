/** The editor marks each problem at the place that its field path or position names. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeJsonString } from '../../src/console/logic/decode-json-string.ts';
import { FieldLocator } from '../../src/console/logic/locate-field.ts';
import { ProblemLocator } from '../../src/console/logic/locate-problem.ts';
import { parseFieldPath } from '../../src/console/logic/parse-field-path.ts';
import type { Problem } from '../../src/console/logic/read-result.ts';
import { describeJsonError } from '../../src/json/describe-json-error.ts';
import { numRuns } from '../support/num-runs.ts';

const native = JSON.stringify({ native: { ver: '1.2', assets: [{ id: 1 }, { id: 2, img: { w: 'é"\n', h: 0 } }] } });
const text = JSON.stringify(
  { id: 'r1', imp: [{ id: '1', bidfloor: '1', native: { request: native } }], site: { domain: 'news.example' } },
  undefined,
  2,
);

const locateProblem = (document: string, problem: Problem) => new ProblemLocator(document).locate(problem);

const marked = (field: string, reason = '', document = text) => {
  const range = locateProblem(document, { code: 'X', field, reason });
  return range && document.slice(range.from, range.to);
};

test('a field path is split into keys and indexes', () => {
  expect(parseFieldPath('imp[0].native.request')).toEqual(['imp', 0, 'native', 'request']);
  expect(parseFieldPath('user.data[10].segment[2]')).toEqual(['user', 'data', 10, 'segment', 2]);
  expect(parseFieldPath('')).toEqual([]);
});

test('a problem with the request as a whole is marked at its beginning, and one with something else nowhere', () => {
  expect(locateProblem(text, { code: 'INVALID_REQUEST', field: '', reason: 'x' })).toEqual({ from: 0, to: 1 });
  expect(locateProblem(text, { code: 'RATE_LIMIT_EXCEEDED', field: '', reason: 'x' })).toBeUndefined();
});

describe('a field', () => {
  test.each([
    ['id', '"r1"'],
    ['imp[0].bidfloor', '"1"'],
    ['site.domain', '"news.example"'],
    ['site', '"site"'],
    ['imp[0]', '{'],
    ['imp', '"imp"'],
  ])('%s is marked at %s', (field, expected) => expect(marked(field)).toBe(expected));

  test.each([
    ['user.ext.consent', '{'],
    ['imp[0].native.ver', '"native"'],
    ['imp[3].id', '"imp"'],
    ['site.domain.x', '"news.example"'],
  ])('%s that is absent is marked at its nearest ancestor, %s', (field, expected) =>
    expect(marked(field)).toBe(expected),
  );

  test('the last of two properties with one name is marked', () => {
    expect(new FieldLocator('{"a":1,"a":2}').locate(['a'])).toEqual({ from: 11, to: 12 });
  });

  test('a name with an escape sequence is found', () => {
    expect(marked('ab', '', String.raw`{"\u0061b": 7}`)).toBe('7');
  });

  test('every field of every document is found', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.array(fc.integer()), { minKeys: 1 }),
        fc.boolean(),
        (value, isIndented) => {
          const document = JSON.stringify(value, undefined, isIndented ? 2 : 0);
          for (const [name, items] of Object.entries(value))
            for (const [index, item] of items.entries())
              expect(marked(`${name}[${index}]`, '', document)).toBe(String(item));
        },
      ),
      { numRuns: numRuns(200) },
    );
  });
});

describe('a problem inside the native request', () => {
  test('is marked inside the string', () => {
    expect(marked('imp[0].native.request', 'native.assets[1].img.h: must be at least 1; got 0')).toBe('0');
    expect(marked('imp[0].native.request', 'native.ver: must be 1.2')).toBe(String.raw`\"1.2\"`);
  });

  test('is marked at the nearest ancestor if the member is absent', () => {
    expect(marked('imp[0].native.request', 'native.assets[0].title: is required')).toBe('{');
  });

  test('is marked at the whole string if the reason names no member', () => {
    expect(marked('imp[0].native.request', 'is JSON-encoded twice')).toBe(JSON.stringify(native));
  });

  test('is marked at the position of a JSON error inside the string', () => {
    const document = JSON.stringify({ imp: [{ native: { request: '{"a":"é\n",}' } }] }, undefined, 2);
    const reason = `is not valid JSON: ${describeJsonError('{"a":"é\n",}')}`;
    expect(marked('imp[0].native.request', reason, document)).toBe(String.raw`\n`);
    const comma = 'is not valid JSON: trailing comma at position 10 (line 1, column 11)';
    expect(marked('imp[0].native.request', comma, document)).toBe('}');
  });
});

describe('a JSON error of the request', () => {
  test('is marked at its position', () => {
    const broken = '{\n  "id": "1",\n}';
    const range = locateProblem(broken, { code: 'X', field: '', reason: describeJsonError(broken) })!;
    expect(broken.slice(0, range.from).split('\n')).toHaveLength(3);
    expect(range.to - range.from).toBe(1);
  });

  test('at the end of the text is marked at its last character', () => {
    const broken = '{"id": "1"';
    expect(marked('', describeJsonError(broken), broken)).toBe('"');
  });

  test.each(['{"id": "1"\n', '{\n', '{"id": "1"\n\n', '{"id": "1"\n  '])(
    'of %j is on the line that it names',
    (broken) => {
      const reason = describeJsonError(broken);
      const { from } = locateProblem(broken, { code: 'X', field: '', reason })!;
      expect(reason).toContain(`(line ${broken.slice(0, from).split('\n').length},`);
    },
  );
});

test('a problem that is not about the text has no place', () => {
  expect(marked('', 'rate limit exceeded for this IP address')).toBeUndefined();
});

test('any document, field and reason give a range within the document or none', () => {
  const anyText = fc.oneof(fc.string(), fc.json());
  fc.assert(
    fc.property(
      anyText,
      fc.string(),
      fc.oneof(fc.string(), fc.constant('at position 9 (line 1, column 10)')),
      (...given) => {
        const [document, field, reason] = given;
        for (const one of [field, 'a.request', 'imp[0]', '']) {
          const range = locateProblem(document, { code: '', field: one, reason });
          if (!range) continue;
          expect(range.from).toBeGreaterThanOrEqual(0);
          expect(range.to).toBeGreaterThanOrEqual(range.from);
          expect(range.to).toBeLessThanOrEqual(document.length);
        }
      },
    ),
    { numRuns: numRuns(500) },
  );
});

test('a string literal is decoded as JSON.parse decodes it, with one offset per unit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const decoded = decodeJsonString(JSON.stringify(value));
      expect(decoded.value).toBe(value);
      expect(decoded.offsets).toHaveLength(value.length + 1);
    }),
    { numRuns: numRuns(500) },
  );
});
