/** The error table keeps the frequent rows in bounded memory, and no count of a row in it is too low. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ErrorTable, maxRows } from '../../../src/observe/console/error-table.ts';
import { numRuns } from '../../support/num-runs.ts';

const code = 'INVALID_FIELD_VALUE';

test('a row has its count, and the id and time of its latest request', () => {
  const table = new ErrorTable();
  table.add('pub-1', code, 'tmax', 'r1', 1_000);
  table.add('pub-1', code, 'tmax', 'r2', 2_000);
  table.add('pub-1', code, 'at', 'r3', 3_000);
  table.add(null, code, null, 'r4', 4_000);
  expect(table.rows()).toEqual([
    { publisher: 'pub-1', code, field: 'tmax', count: 2, latestRequestId: 'r2', latestMs: 2_000 },
    { publisher: 'pub-1', code, field: 'at', count: 1, latestRequestId: 'r3', latestMs: 3_000 },
    { publisher: null, code, field: null, count: 1, latestRequestId: 'r4', latestMs: 4_000 },
  ]);
});

test('values with separators do not share a row', () => {
  const table = new ErrorTable();
  table.add('a","b', code, null, 'r1', 1);
  table.add('a', code, '","b', 'r2', 2);
  expect(table.rows()).toHaveLength(2);
});

test('a flood of different publishers leaves the frequent one in the table', () => {
  const table = new ErrorTable();
  for (let i = 0; i < 10 * maxRows; i++) {
    table.add(`pub-${i}`, code, null, 'r', i);
    table.add('frequent', code, 'tmax', 'r', i);
  }
  expect(table.rows()).toHaveLength(maxRows);
  const [first] = table.rows().toSorted((a, b) => b.count - a.count);
  expect(first).toMatchObject({ publisher: 'frequent', count: 10 * maxRows });
});

test('counts are never too low, and together they are the number of errors', () => {
  const publishers = fc.array(fc.integer({ min: 0, max: 2 * maxRows }), { minLength: 1, maxLength: 3_000 });
  fc.assert(
    fc.property(publishers, (sent) => {
      const table = new ErrorTable();
      const exact = new Map<string, number>();
      for (const id of sent.map(String)) {
        table.add(id, code, null, 'r', 0);
        exact.set(id, (exact.get(id) ?? 0) + 1);
      }
      const rows = table.rows();
      expect(rows.length).toBeLessThanOrEqual(maxRows);
      expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(sent.length);
      for (const { publisher, count } of rows) expect(count).toBeGreaterThanOrEqual(exact.get(publisher!)!);
    }),
    { numRuns: numRuns(50) },
  );
});
