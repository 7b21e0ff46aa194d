/** Prints the results of a benchmark or load test and records them in load/RESULTS.md with machine, commit and date. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('RESULTS.md', import.meta.url));
const intro = `# Results

Each section was written by the command that it names. Between runs on a shared machine, absolute times vary by a factor of two and
ratios by a fifth. The ratio of two servers is the median of the ratios per round, not the ratio of the medians.
`;

/** Replaces the section that the same make command wrote before; with LOAD_RECORD=no the results are only printed. */
export function writeResults(title: string, command: string, lines: readonly string[]): void {
  const section = [`## ${title}`, '', `\`${command}\`, ${environment()}`, '', ...lines, ''].join('\n');
  process.stdout.write(`${section}\n`);
  if (process.env.LOAD_RECORD === 'no') return;
  const recorded = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const others = recorded.filter((other) => makeCommand(other) !== makeCommand(section));
  writeFileSync(file, [intro, ...others, section].map((part) => `${part.trimEnd()}\n`).join('\n'));
}

/** The command in a section's first line of text, without the variables before it. */
const makeCommand = (section: string): string | undefined => /^`(?:\w+=\S+ )*(make [^`]+)`/m.exec(section)?.[1];

/** The command, preceded by those of the variables that are set. */
export const commandWith = (variables: readonly string[], command: string): string =>
  [...variables.filter((name) => process.env[name]).map((name) => `${name}=${process.env[name]}`), command].join(' ');

/** A Markdown table with aligned columns, formatted like Prettier does. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) => Math.max(3, title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

function environment(): string {
  const git = (...args: string[]) => execFileSync('git', args).toString().trim();
  const isChanged = git('status', '--porcelain', '--', ':/', ':(top,exclude)load/RESULTS.md') !== '';
  const commit = `${git('describe', '--always')}${isChanged ? '-dirty' : ''}`;
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node.js ${process.version}, ${machine}`;
}
