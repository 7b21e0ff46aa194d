/** docs/publishers.md: its example is the file in deploy/demand, is valid with the partners beside it, and its key works. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { readConfig } from '../../src/config/config.ts';
import { directoryOf } from '../../src/publishers/publisher-directory.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const example = 'deploy/demand/publishers.example.json';
const page = read('docs/publishers.md');

test('the example is the file', () => {
  const block = /```json\n(.*?)\n```/s.exec(page)![1]!;
  expect(JSON.parse(block)).toEqual(JSON.parse(read(example)));
});

test('the file is valid, and the key of the page opens its publisher', () => {
  const config = readConfig({
    DEMAND_FILE: new URL('deploy/demand/partners.json', root).pathname,
    PUBLISHERS_FILE: new URL(example, root).pathname,
  });
  expect(config.limits.reservedShare).toBe(0.5);
  const directory = directoryOf(config.publishers)!;
  const key = /The key of `pub-42` is `(\S+)`/.exec(page)![1]!;
  const elsewhere = directory.client('198.51.100.1');
  expect(elsewhere.limit).toBe(2_000);
  expect(directory.find('pub-42')!.checkAccess(elsewhere.bits, `Bearer ${key}`)).toBeUndefined();
  expect(directory.find('pub-42')!.checkAccess(elsewhere.bits, undefined)).toBe('noKeyOrAddress');
  expect(directory.find('pub-43')!.checkAccess(elsewhere.bits, undefined)).toBe('wrongAddress');
  expect(directory.client('203.0.113.7').limit).toBe('exempt');
});
