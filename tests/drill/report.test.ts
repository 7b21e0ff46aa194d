/** The table of the drill. */
import { expect, test } from '@jest/globals';
import { head, isMet, notes, row } from '../../load/drill/report.ts';

const fault = { name: 'worker-killed', title: 'a worker killed', maxRecoveryMs: 5_000 };
const outcome = {
  sent: 500,
  failed: 2,
  failures: '2 closed (kept)',
  avoidable: 0,
  slowestMs: 134.6,
  recoveryMs: 3_260,
  metric: { text: '`deaths_total` = 1', afterMs: 120 },
  logLine: { text: '`worker exited|x`', afterMs: 9 },
  details: ['exit code 0, goal 0'],
  problems: [],
};

test('a row has a cell per column', () => {
  expect(row({ fault, outcome, otherLoad: 0.021 })).toEqual([
    'a worker killed (`worker-killed`)',
    '500',
    '2',
    '0',
    '135 ms',
    '3.3 s',
    '`deaths_total` = 1, 0.1 s',
    '`worker exited\\|x`, 0.0 s',
    '2%',
    'met',
  ]);
  for (const other of [outcome, 'it needs root'])
    expect(row({ fault, outcome: other, otherLoad: 0 })).toHaveLength(head.length);
});

test('a fault that was not run misses no goal, and its row has the reason', () => {
  const skipped = { fault, outcome: 'it needs root', otherLoad: 0 };
  expect(isMet(skipped)).toBe(true);
  expect(row(skipped).at(-1)).toBe('not run: it needs root');
});

test('notes list what is allowed, what has no sign, and each missed goal', () => {
  const allowance = { why: 'requests in flight.', max: 1, covers: () => true };
  const silent = { fault: { ...fault, name: 'slow', withoutLogLine: 'a metric.' }, outcome, otherLoad: 0 };
  expect(notes([{ fault: { ...fault, allowance }, outcome, otherLoad: 0 }, silent])).toEqual([
    'Failures that a fault makes unavoidable:',
    '',
    '- `worker-killed`: requests in flight.',
    '',
    'Without a sign:',
    '',
    '- `slow`, log line: a metric.',
    '',
    'Further goals:',
    '',
    '- `worker-killed`: exit code 0, goal 0',
    '- `slow`: exit code 0, goal 0',
    '',
    'All goals are met.',
  ]);
  const lost = { fault, outcome: { ...outcome, details: [], recoveryMs: Infinity, metric: undefined }, otherLoad: 0 };
  expect(isMet(lost)).toBe(false);
  expect(notes([lost])).toEqual([
    'Missed goals:',
    '',
    '- `worker-killed`: no recovery was seen',
    '- `worker-killed`: no metric showed it',
  ]);
});
