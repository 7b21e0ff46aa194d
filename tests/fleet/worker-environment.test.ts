/** Workers get few malloc arenas, unless the operator chose otherwise. */
import { expect, test } from '@jest/globals';
import { workerEnvironment } from '../../src/fleet/worker-environment.ts';

test('glibc uses one arena', () => expect(workerEnvironment({})).toEqual({ MALLOC_ARENA_MAX: '1' }));

test('a number that the operator chose stays', () => {
  expect(workerEnvironment({ MALLOC_ARENA_MAX: '8' })).toEqual({});
});
