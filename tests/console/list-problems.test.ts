/** Many problems of a long request cost one parse. */
import { jsonLanguage } from '@codemirror/lang-json';
import { expect, jest, test } from '@jest/globals';
import { listProblems } from '../../src/console/logic/list-problems.ts';
import { ProblemLocator } from '../../src/console/logic/locate-problem.ts';
import type { Problem } from '../../src/console/logic/read-result.ts';

const list = (text: string, problems: Problem[]) => listProblems(text, problems, new ProblemLocator(text));
const problem = (field: string, reason = 'is wrong'): Problem => ({ code: 'X', field, reason });

test('problems are in the order of their lines, those without a place first', () => {
  const text = JSON.stringify({ id: 'r1', imp: [{ id: '1', bidfloor: 'x' }], tmax: 'soon' }, undefined, 2);
  const listed = list(text, [problem('tmax'), problem('imp[0].bidfloor'), problem(''), problem('tmax'), problem('id')]);
  expect(listed.map((one) => [one.problem.field, one.line])).toEqual([
    ['', undefined],
    ['id', 2],
    ['imp[0].bidfloor', 6],
    ['tmax', 9],
    ['tmax', 9],
  ]);
});

test('a problem after the last line break is on the last line', () => {
  const reason = 'the object is not closed at position 2 (line 2, column 1)';
  expect(list('{\n', [problem('', reason)])[0]!.line).toBe(2);
});

test('a request is parsed once for all its problems, and each native request once', () => {
  const native = JSON.stringify({ assets: Array.from({ length: 50 }, (_, id) => ({ id, title: { len: 'x' } })) });
  const imp = Array.from({ length: 2 }, (_, id) => ({ id, bidfloor: 'x', native: { request: native } }));
  const problems = imp.flatMap((_, index) => [
    problem(`imp[${index}].bidfloor`),
    ...Array.from({ length: 50 }, (_, asset) =>
      problem(`imp[${index}].native.request`, `assets[${asset}].title.len: must be a number`),
    ),
  ]);
  const parse = jest.spyOn(jsonLanguage.parser, 'parse');
  try {
    expect(list(JSON.stringify({ imp }), problems)).toHaveLength(102);
    expect(parse).toHaveBeenCalledTimes(3);
  } finally {
    parse.mockRestore();
  }
});
