/** What a worker has counted stays when it exits. */
import { expect, test } from '@jest/globals';
import type { ErrorCount } from '../../../src/contract/console-api.ts';
import { FleetErrors, mergeErrors } from '../../../src/fleet/console/fleet-errors.ts';
import { maxRows } from '../../../src/observe/console/error-table.ts';

const row = (publisher: string, count: number, latestMs = 1): ErrorCount => ({
  publisher,
  code: 'INVALID_FIELD_VALUE',
  field: 'tmax',
  count,
  latestRequestId: `r${latestMs}`,
  latestMs,
});

test('the counts of exited workers are added to those of the others', () => {
  const errors = new FleetErrors();
  errors.set(1, [row('a', 1)]);
  errors.set(1, [row('a', 2, 5)]);
  errors.set(2, [row('a', 3, 4), row('b', 1)]);
  errors.retire(1);
  errors.retire(3);
  expect(mergeErrors(errors.all(), 10)).toEqual([row('a', 5, 5), row('b', 1)]);
  errors.retire(2);
  errors.set(4, [row('b', 9)]);
  expect(mergeErrors(errors.all(), 10)).toEqual([row('b', 10), row('a', 5, 5)]);
});

test('the rows of exited workers are bounded; the most frequent stay', () => {
  const errors = new FleetErrors();
  for (let worker = 0; worker < 5; worker++) {
    errors.set(
      worker,
      Array.from({ length: maxRows }, (_, index) => row(`${worker} ${index}`, worker + 1)),
    );
    errors.retire(worker);
  }
  const [rows] = errors.all();
  expect([rows!.length, rows![0]!.count]).toEqual([maxRows, 5]);
});
