/** Dropped entries of the auction log: the log lines add up to the metric, however few lines there are. */
import { expect, test } from '@jest/globals';
import { createCappedLog } from '../../src/observe/capped-log.ts';
import { reportDroppedEntries } from '../../src/observe/dropped-entries.ts';
import type { Logger } from '../../src/observe/logger.ts';

function create() {
  const clock = { nowMs: 0 };
  const lines: { entries: number; cause: string }[] = [];
  const counted: number[] = [];
  const logger = { error: (fields: { entries: number; cause: string }) => lines.push(fields) } as unknown as Logger;
  const capped = createCappedLog(logger, 10_000, () => clock.nowMs);
  const reports = reportDroppedEntries({ auctionLogDropped: (entries) => void counted.push(entries) }, capped);
  return { clock, lines, counted, reports };
}

test('a line has the entries since the one before, also those without a line of their own', () => {
  const { clock, lines, counted, reports } = create();
  reports.onDropped(1, 'ENOSPC');
  for (let i = 0; i < 5; i++) reports.onDropped(100, 'ENOSPC');
  clock.nowMs = 10_000;
  reports.onDropped(20, 'EIO');
  expect(lines).toMatchObject([
    { entries: 1, cause: 'ENOSPC' },
    { entries: 520, cause: 'EIO' },
  ]);
  expect(counted).toEqual([1, 100, 100, 100, 100, 100, 20]);
});

test('the rest has a line when the log is closed', () => {
  const { lines, reports } = create();
  reports.onDropped(1, 'ENOSPC');
  reports.onDropped(399, 'ENOSPC');
  reports.onClosed();
  reports.onClosed();
  expect(lines.map(({ entries }) => entries)).toEqual([1, 399]);
});

test('a log that is closed without a loss has no line', () => {
  const { lines, reports } = create();
  reports.onClosed();
  expect(lines).toEqual([]);
});
