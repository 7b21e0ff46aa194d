/** The limits on wrong tokens: per address, in total, and for one minute. */
import { expect, test } from '@jest/globals';
import { LoginFailures, maxInTotal, maxPerAddress } from '../../../src/fleet/console/login-failures.ts';

function create() {
  const clock = { nowMs: 0 };
  const failures = new LoginFailures(() => clock.nowMs);
  const fail = (address: string, times: number) => {
    for (let i = 0; i < times; i++) failures.add(address);
  };
  return { clock, failures, fail };
}

test('an address is limited after its maximum; others are not', () => {
  const { failures, fail } = create();
  fail('203.0.113.1', maxPerAddress - 1);
  expect(failures.isLimited('203.0.113.1')).toBe(false);
  fail('203.0.113.1', 1);
  expect(failures.isLimited('203.0.113.1')).toBe(true);
  expect(failures.isLimited('203.0.113.2')).toBe(false);
});

test('every address is limited after the maximum in total, even if each has failed only once', () => {
  const { failures, fail } = create();
  for (let i = 1; i < maxInTotal; i++) fail(`203.0.113.${i}`, 1);
  expect(failures.isLimited('198.51.100.1')).toBe(false);
  fail('203.0.113.100', 1);
  expect(failures.isLimited('198.51.100.1')).toBe(true);
});

test('both limits end after one minute', () => {
  const { clock, failures, fail } = create();
  fail('203.0.113.1', maxInTotal);
  clock.nowMs = 59_999;
  expect(failures.isLimited('203.0.113.1')).toBe(true);
  expect(failures.isLimited('198.51.100.1')).toBe(true);
  clock.nowMs = 60_000;
  expect(failures.isLimited('203.0.113.1')).toBe(false);
  expect(failures.isLimited('198.51.100.1')).toBe(false);
});
