/** Workers get few malloc arenas and copy survivors on one thread, unless the operator chose otherwise. */
import { expect, test } from '@jest/globals';
import { workerEnvironment, workerOptions } from '../../src/fleet/worker-environment.ts';

test('glibc uses one arena', () => expect(workerEnvironment({})).toEqual({ MALLOC_ARENA_MAX: '1' }));

test('a number that the operator chose stays', () => {
  expect(workerEnvironment({ MALLOC_ARENA_MAX: '8' })).toEqual({});
});

test('one thread collects the young generation; options of the primary come later and so win', () => {
  expect(workerOptions([])).toEqual(['--no-parallel-scavenge']);
  expect(workerOptions(['--parallel-scavenge', '--max-old-space-size=512'])).toEqual([
    '--no-parallel-scavenge',
    '--parallel-scavenge',
    '--max-old-space-size=512',
  ]);
});
