/** Workers get a small young generation and few malloc arenas, unless the operator chose otherwise. */
import { describe, expect, test } from '@jest/globals';
import { workerEnvironment, workerFlags } from '../../src/fleet/worker-flags.ts';

describe('flags of workers', () => {
  test('the flags of the primary stay, and the young generation is limited', () => {
    expect(workerFlags(['--cpu-prof'])).toEqual(['--cpu-prof', '--max-semi-space-size=8']);
  });

  test.each([
    '--max-semi-space-size=32',
    '--max_semi_space_size=32',
    '--max-old-space-size=512 --max-semi-space-size=32',
  ])('NODE_OPTIONS=%s wins', (options) => expect(workerFlags([], options)).toEqual([]));

  test('a size on the command line wins', () => {
    expect(workerFlags(['--max-semi-space-size=32'])).toEqual(['--max-semi-space-size=32']);
  });

  test('other options do not count as a size', () => {
    expect(workerFlags([], '--max-old-space-size=512')).toEqual(['--max-semi-space-size=8']);
  });
});

describe('environment of workers', () => {
  test('glibc uses one arena', () => expect(workerEnvironment({})).toEqual({ MALLOC_ARENA_MAX: '1' }));

  test('a number that the operator chose stays', () => {
    expect(workerEnvironment({ MALLOC_ARENA_MAX: '8' })).toEqual({});
  });
});
