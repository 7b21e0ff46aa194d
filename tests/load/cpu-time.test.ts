/** The share of CPU time that the hypervisor withheld, by which late responses of a load run are judged or not. */
import { expect, test } from '@jest/globals';
import { readCpuTime, withheldShare } from '../../load/bench/machine/cpu-time.ts';

const stat = (ticks: string): string => `cpu  ${ticks}\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 5\n`;

test('reads the line of all cores: idle time and I/O wait are not used, steal is withheld', () => {
  expect(readCpuTime(stat('100 20 30 4000 500 6 7 80 9 10'))).toEqual({ used: 163, withheld: 80 });
});

test('the share is of the time asked for, used and withheld', () => {
  expect(withheldShare({ used: 1000, withheld: 500 }, { used: 1060, withheld: 540 })).toBe(0.4);
});

test('nothing is withheld from a machine that asked for nothing', () => {
  expect(withheldShare({ used: 1000, withheld: 500 }, { used: 1000, withheld: 500 })).toBe(0);
});
