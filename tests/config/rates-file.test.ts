/** The rates file: which rates it gives, and which files are rejected. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import type { ConfigError } from '../../src/config/config-error.ts';
import { readRatesFile } from '../../src/config/rates-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'rates-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(content: unknown): string {
  const path = join(folder, 'rates.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const read = (content: unknown) => readRatesFile(write(content));
const ratesOf = (conversions: unknown) => read({ conversions });

describe('the rate of a currency', () => {
  test.each<[string, unknown, Record<string, number>]>([
    ['is the rate to USD', { EUR: { USD: 1.1 } }, { EUR: 1.1 }],
    ['is the inverse of the rate from USD', { USD: { EUR: 0.8 } }, { EUR: 1.25 }],
    ['is the rate to USD if there are both', { USD: { EUR: 0.8 }, EUR: { USD: 1.1 } }, { EUR: 1.1 }],
    ['is the rate to USD in either order', { EUR: { USD: 1.1 }, USD: { EUR: 0.8 } }, { EUR: 1.1 }],
    ['is found in any case', { usd: { eur: 0.8 } }, { EUR: 1.25 }],
    ['is not taken from other currencies', { EUR: { GBP: 0.9 } }, {}],
    ['of USD is not read', { USD: { USD: 2, EUR: 0.8 } }, { EUR: 1.25 }],
    ['is absent without conversions', {}, {}],
  ])('%s', (_name, conversions, dollarsPer) => {
    expect(ratesOf(conversions)).toMatchObject({ table: { dollarsPer } });
    expect(Object.keys((ratesOf(conversions) as { table: { dollarsPer: object } }).table.dollarsPer)).toEqual(
      Object.keys(dollarsPer),
    );
  });
});

describe('the age of the rates', () => {
  test.each([
    ['2026-01-31', Date.UTC(2026, 0, 31)],
    ['2026-01-31T12:30:00.000Z', Date.UTC(2026, 0, 31, 12, 30)],
  ])('counts from dataAsOf: %s', (dataAsOf, asOfMs) => {
    expect(read({ dataAsOf, conversions: {} })).toMatchObject({ table: { asOfMs } });
  });

  test('counts from the modification of the file without dataAsOf', () => {
    const path = write({ conversions: {} });
    utimesSync(path, 1_000, 2_000);
    expect(readRatesFile(path)).toMatchObject({ table: { asOfMs: 2_000_000 } });
  });
});

test('members that Prebid adds are accepted', () => {
  const content = {
    dataAsOf: '2026-01-31',
    generatedAt: '2026-02-01T00:00:00.000Z',
    conversions: { USD: { EUR: 0.8 } },
  };
  expect(read(content)).not.toHaveProperty('problems');
});

describe('a file is rejected', () => {
  test.each<[string, unknown, string]>([
    ['that is not JSON', '{', 'not valid JSON; '],
    ['that is an array', [], 'value must be of type object'],
    ['without conversions', { dataAsOf: '2026-01-31' }, 'conversions is required'],
    ['with a rate in quotes', { conversions: { USD: { EUR: '0.8' } } }, 'conversions.USD.EUR must be a number'],
    ['with a rate of zero', { conversions: { USD: { EUR: 0 } } }, 'conversions.USD.EUR must be greater than or equal'],
    [
      'with a negative rate',
      { conversions: { EUR: { USD: -1 } } },
      'conversions.EUR.USD must be greater than or equal',
    ],
    [
      'with a rate beyond all real ones',
      { conversions: { EUR: { USD: 1e10 } } },
      'conversions.EUR.USD must be less than',
    ],
    ['with conversions as a list', { conversions: { USD: [0.8] } }, 'conversions.USD must be of type object'],
    ['with a code of four letters', { conversions: { EURO: { USD: 1 } } }, 'conversions.EURO is not a currency code'],
    [
      'with an inner code of two letters',
      { conversions: { USD: { EU: 1 } } },
      'conversions.USD.EU is not a currency code',
    ],
    ['with a dataAsOf that is no date', { dataAsOf: 'today', conversions: {} }, 'dataAsOf must be a date'],
    ['with a dataAsOf that is a number', { dataAsOf: 1, conversions: {} }, 'dataAsOf must be a string'],
    ['above a megabyte', ' '.repeat(1024 * 1024 + 1), 'must have at most 1048576 bytes; got 1048577'],
  ])('%s', (_name, content, problem) => {
    const path = write(content);
    const expected = expect.stringContaining(`RATES_FILE ${path}: ${problem}`);
    expect(readRatesFile(path)).toEqual({ problems: [expected] });
  });

  test('that does not exist, together with the other problems of the configuration', () => {
    const path = join(folder, 'missing.json');
    let problems: readonly string[] = [];
    try {
      readConfig({ RATES_FILE: path, PORT: 'x' });
    } catch (error) {
      problems = (error as ConfigError).problems;
    }
    expect(problems).toEqual([
      expect.stringMatching(/^PORT /),
      expect.stringMatching(new RegExp(`^RATES_FILE ${path}: ENOENT`)),
    ]);
  });
});

test('the configuration has the rates with their file; without RATES_FILE it has none', () => {
  const path = write({ dataAsOf: '2026-01-31', conversions: { USD: { EUR: 0.8 } } });
  const table = { dollarsPer: { EUR: 1.25 }, asOfMs: Date.UTC(2026, 0, 31) };
  expect(readConfig({ RATES_FILE: path }).rates).toEqual({ file: path, table });
  expect(readConfig({}).rates).toBeUndefined();
});
