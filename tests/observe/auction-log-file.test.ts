/** The file of the auction log: appending, rotation, and writes that fail or end early. */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AuctionLogFile } from '../../src/observe/auction-log-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gavel-auction-file-'));
  path = join(folder, 'auctions.log');
});
const opened: AuctionLogFile[] = [];
afterEach(() => {
  for (const file of opened.splice(0)) file.reopen(); // which closes the file
  rmSync(folder, { recursive: true });
});

function openFile(at = path): AuctionLogFile {
  const file = new AuctionLogFile(at);
  opened.push(file);
  return file;
}

const read = (name = path) => readFileSync(name, 'utf8');

test('several writers append whole lines to one file', async () => {
  const files = [openFile(), openFile()];
  const lines = Array.from({ length: 100 }, (_, n) => `${n}\n`);
  for (const line of lines) await Promise.all(files.map((file) => file.write([line, line])));
  expect(read().split('\n').slice(0, -1).toSorted()).toEqual(
    lines.flatMap((line) => Array<string>(4).fill(line.trim())).toSorted(),
  );
});

test('a line that another writer is in the midst of is not taken for a broken one', async () => {
  const files = [openFile(), openFile(), openFile()];
  const rounds = 100;
  const batch = Array<string>(200).fill(`${'x'.repeat(999)}\n`);
  const writeAll = async (file: AuctionLogFile) => {
    for (let round = 0; round < rounds; round++) await file.write(batch);
  };
  await Promise.all(files.map(writeAll));
  expect(new Set(read().split('\n').slice(0, -1))).toEqual(new Set(['x'.repeat(999)]));
  expect(read().length).toBe(rounds * files.length * 200_000);
});

test('after a rename, lines go to the renamed file until it is reopened', async () => {
  const file = openFile();
  await file.write(['1\n']);
  renameSync(path, `${path}.1`);
  await file.write(['2\n']);
  file.reopen();
  await file.write(['3\n']);
  expect([read(`${path}.1`), read()]).toEqual(['1\n2\n', '3\n']);
});

test('reopening during a write neither loses its lines nor writes them twice', async () => {
  const file = openFile();
  await file.write(['1\n']);
  const writing = file.write(['2\n']);
  file.reopen();
  expect(await writing).toBe(1);
  expect(await file.write(['3\n'])).toBe(1);
  expect(read()).toBe('1\n2\n3\n');
});

test('a path that cannot be opened is unavailable until it can', async () => {
  const missing = join(folder, 'missing');
  const file = openFile(join(missing, 'auctions.log'));
  expect(await file.write(['1\n'])).toEqual({ reason: expect.stringContaining('ENOENT') });
  mkdirSync(missing);
  expect(await file.write(['1\n'])).toBe(1);
  expect(read(join(missing, 'auctions.log')).trim()).toBe('1');
});

test.each([
  ['another worker', false],
  ['an earlier process', true],
])('half a line that %s has left is not continued', async (_writer, isNew) => {
  const file = openFile();
  if (!isNew) await file.write(['1\n']);
  appendFileSync(path, '{"half');
  expect(await file.write(['2\n'])).toBe(1);
  expect(await file.write(['3\n'])).toBe(1);
  expect(read()).toMatch(/^(?:1\n)?\{"half\n2\n3\n$/);
});

test('a file that cannot be read, and a destination that is no file, are written all the same', async () => {
  const flags: string[] = [];
  const writeOnly = new AuctionLogFile(path, (at, flag, mode) => {
    flags.push(flag);
    return flag === 'a+' ? Promise.reject(new Error('EACCES')) : open(at, flag, mode);
  });
  opened.push(writeOnly);
  expect(await writeOnly.write(['1\n'])).toBe(1);
  expect([flags, read()]).toEqual([['a+', 'a'], '1\n']);
  expect(await openFile('/dev/null').write(['1\n'])).toBe(1);
});

describe('a write that ends early', () => {
  /** A file of which only the next `limits` bytes can be written. */
  function limitedFile(limits: (number | Error)[]): { file: AuctionLogFile; content: () => string } {
    let content = '';
    const handle = {
      write: (bytes: Buffer) => {
        const limit = limits.shift() ?? bytes.length;
        if (limit instanceof Error) return Promise.reject(limit);
        const written = bytes.subarray(0, limit);
        content += written.toString();
        return Promise.resolve({ bytesWritten: written.length });
      },
      close: () => Promise.resolve(),
    };
    const open = () => Promise.resolve(handle as unknown as FileHandle);
    return { file: new AuctionLogFile(path, open), content: () => content };
  }

  test.each([
    [0, 0],
    [2, 0],
    [3, 1],
    [5, 1],
    [6, 2],
  ])('of %i bytes counts %i whole lines; the next line starts a new one', async (bytes, lines) => {
    const { file, content } = limitedFile([bytes]);
    expect(await file.write(['11\n', '22\n'])).toBe(lines);
    expect(await file.write(['33\n'])).toBe(1);
    expect(content()).toMatch(/\n33\n$/);
  });

  test('counts no line twice if it began with the end of a broken one', async () => {
    const { file } = limitedFile([1, 1, 4]);
    expect(await file.write(['11\n', '22\n'])).toBe(0);
    expect(await file.write(['11\n', '22\n'])).toBe(0);
    expect(await file.write(['11\n', '22\n'])).toBe(1);
  });

  test('a failed write is unavailable; the next one starts a new line', async () => {
    const { file, content } = limitedFile([new Error('ENOSPC')]);
    expect(await file.write(['1\n'])).toEqual({ reason: 'ENOSPC' });
    expect(await file.write(['1\n'])).toBe(1);
    expect(content()).toBe('\n1\n');
  });
});
