/** Dropped entries of the auction log: the log lines add up to the metric, however few lines there are. */
import { expect, test } from '@jest/globals';
import { reportDroppedEntries } from '../../src/observe/dropped-entries.ts';
import type { Logger } from '../../src/observe/logger.ts';

type Line = { entries: number; cause: string };

function create() {
  const lines: Line[] = [];
  const counted: number[] = [];
  const timers: { callback: () => void; delayMs: number }[] = [];
  const logger = { error: (fields: Line) => lines.push(fields) } as unknown as Logger;
  const reports = reportDroppedEntries(
    { auctionLogDropped: (entries) => void counted.push(entries) },
    logger,
    (callback, delayMs) => void timers.push({ callback, delayMs }),
  );
  /** Lets the interval end, of which there is at most one. */
  const endInterval = () => {
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([10_000]);
    timers.pop()!.callback();
  };
  return { lines, counted, timers, reports, endInterval };
}

test('the first drop has a line at once, those of the next 10 s one when they are over', () => {
  const { lines, counted, reports, endInterval } = create();
  reports.onDropped(1, 'ENOSPC');
  for (let i = 0; i < 5; i++) reports.onDropped(100, 'ENOSPC');
  expect(lines).toEqual([{ entries: 1, cause: 'ENOSPC' }]);
  endInterval();
  expect(lines.slice(1)).toEqual([{ entries: 500, cause: 'ENOSPC' }]);
  reports.onDropped(20, 'ENOSPC');
  expect(lines).toHaveLength(2);
  endInterval();
  expect(lines.slice(2)).toEqual([{ entries: 20, cause: 'ENOSPC' }]);
  expect(counted).toEqual([1, 100, 100, 100, 100, 100, 20]);
});

test('each cause has a line with its own entries', () => {
  const { lines, reports, endInterval } = create();
  reports.onDropped(1, 'ENOSPC');
  reports.onDropped(300, 'ENOSPC');
  reports.onDropped(20, 'EIO');
  reports.onDropped(4, 'ENOSPC');
  endInterval();
  expect(lines.slice(1)).toEqual([
    { entries: 304, cause: 'ENOSPC' },
    { entries: 20, cause: 'EIO' },
  ]);
});

test('after 10 s without a drop, the next one has a line at once', () => {
  const { lines, timers, reports, endInterval } = create();
  reports.onDropped(1, 'ENOSPC');
  endInterval();
  expect(timers).toEqual([]);
  reports.onDropped(2, 'ENOSPC');
  expect(lines.map(({ entries }) => entries)).toEqual([1, 2]);
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
