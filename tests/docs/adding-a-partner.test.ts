/** docs/adding-a-partner.md works: its code blocks, applied to a copy of the project, type-check and pass the tests. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));
const document = readFileSync(join(project, 'docs/adding-a-partner.md'), 'utf8');

/** A path in backquotes and a colon on a line of their own, then the block. */
const namedBlock = /^`(?<path>\S+)`:\n\n```(?<language>\w+)\n(?<content>.*?)^```$/gms;

const cases = 'tests/demand/adapter-cases.test.ts';
const copied = ['src', 'tests/demand/cases', cases, 'tests/support', 'jest.config.ts', 'package.json', 'tsconfig.json'];

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'adding-a-partner-'));
  for (const path of copied) cpSync(join(project, path), join(copy, path), { recursive: true });
  writeFileSync(join(copy, 'src/tsconfig.json'), '{"extends": "../tsconfig.json", "include": ["demand"]}');
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  for (const { groups } of document.matchAll(namedBlock)) {
    const { path, language, content } = groups!;
    const target = join(copy, path!);
    if (language === 'diff') addLines(target, content!);
    else {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content!);
    }
  }
});
afterAll(() => rmSync(copy, { recursive: true }));

test('the code type-checks', () => {
  expect(run('typescript/bin/tsc', '--project', 'src')).toEqual({ status: 0, output: '' });
});

test('the cases pass, and the adapter is complete', () => {
  const { status, output } = run('jest/bin/jest.js', '--verbose', '-t', 'coupons|registry', cases);
  expect({ status, output }).toEqual({ status: 0, output });
  const names = [...document.matchAll(/^`tests\/demand\/cases\/coupons\/(\S+)\.json`:$/gm)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThanOrEqual(10);
  for (const name of names) expect(output).toMatch(new RegExp(`✓ ${name}( |$)`, 'm'));
});

/** Inserts each added line after the unchanged line above it. */
function addLines(path: string, diff: string): void {
  const lines = readFileSync(path, 'utf8').split('\n');
  let at = -1;
  for (const line of diff.trimEnd().split('\n')) {
    if (line === '...') continue;
    if (line.startsWith('+')) {
      lines.splice(++at, 0, line.slice(1));
      continue;
    }
    at = lines.indexOf(line.slice(1), at + 1);
    if (at === -1) throw new Error(`${path} has no line ${JSON.stringify(line.slice(1))}`);
  }
  writeFileSync(path, lines.join('\n'));
}

function run(tool: string, ...options: string[]): { status: number | null; output: string } {
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const path = join(project, 'node_modules', tool);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, path, ...options], {
    cwd: copy,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}
