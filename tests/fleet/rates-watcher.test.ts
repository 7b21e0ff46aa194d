/** The rates watcher: a change is reported once, and a bad file keeps the last valid rates. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRatesFile } from '../../src/config/rates-file.ts';
import { RatesWatcher } from '../../src/fleet/rates-watcher.ts';
import type { RatesTable } from '../../src/money/rates.ts';

let folder: string;
let path: string;
let changes: RatesTable['dollarsPer'][];
let problems: string[];
let writes = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rates-watcher-'));
  path = join(folder, 'rates.json');
  changes = [];
  problems = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Every write has a later modification time, however fast the test is. */
function write(content: string, file = path): void {
  writeFileSync(file, content);
  utimesSync(file, 1_000, 2_000 + writes++);
}

const euro = (rate: number) => JSON.stringify({ dataAsOf: '2026-01-31', conversions: { EUR: { USD: rate } } });

function watch(): RatesWatcher {
  const initial = readRatesFile(path) as { table: RatesTable };
  return new RatesWatcher(path, initial.table, {
    onRates: ({ dollarsPer }) => changes.push(dollarsPer),
    onProblems: (found) => problems.push(...found),
  });
}

test('an unchanged file is not reported', () => {
  write(euro(1.1));
  const watcher = watch();
  watcher.check();
  watcher.check();
  expect([changes, problems]).toEqual([[], []]);
  expect(watcher.current.dollarsPer).toEqual({ EUR: 1.1 });
});

test('a change is reported once', () => {
  write(euro(1.1));
  const watcher = watch();
  watcher.check();
  write(euro(1.2));
  watcher.check();
  watcher.check();
  expect(changes).toEqual([{ EUR: 1.2 }]);
  expect(watcher.current.dollarsPer).toEqual({ EUR: 1.2 });
});

test('a change before the first check is reported', () => {
  write(euro(1.1));
  const watcher = watch();
  write(euro(1.2));
  watcher.check();
  expect(changes).toEqual([{ EUR: 1.2 }]);
});

test('a file that takes the place of the old one is read, even with the same size and time', () => {
  write(euro(1.1));
  const watcher = watch();
  watcher.check();
  const other = join(folder, 'other.json');
  writeFileSync(other, euro(1.2));
  utimesSync(other, 1_000, 2_000 + writes - 1);
  renameSync(other, path);
  watcher.check();
  expect(changes).toEqual([{ EUR: 1.2 }]);
});

test.each<[string, () => void, RegExp]>([
  ['is invalid', () => write('{"conversions":{"EUR":{"USD":0}}}'), /conversions\.EUR\.USD/],
  ['is half written', () => write(euro(1.2).slice(0, 30)), /not valid JSON/],
  ['is removed', () => rmSync(path), /ENOENT/],
])('the last valid rates stay if the file %s; the problem is reported once', (_name, spoil, problem) => {
  write(euro(1.1));
  const watcher = watch();
  watcher.check();
  spoil();
  watcher.check();
  watcher.check();
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(watcher.current.dollarsPer).toEqual({ EUR: 1.1 });
  write(euro(1.3));
  watcher.check();
  expect(changes).toEqual([{ EUR: 1.3 }]);
});
