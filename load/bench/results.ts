/** Results of benchmarks: printed, and kept in load/RESULTS.md with the machine, the commit and the date. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../RESULTS.md', import.meta.url));
const intro =
  '# Results\n\nWritten by the commands named in each section. Absolute times vary with the machine and its neighbours by a factor of two, ratios by a fifth; a ratio of two contenders is the median of the ratios round by round, not that of their medians.\n';

/** Replaces the section of that title, or adds it; with LOAD_RECORD=no it is only printed. */
export function writeResults(title: string, command: string, lines: readonly string[]): void {
  const section = [`## ${title}`, '', `\`${command}\`, ${circumstances()}`, '', ...lines, ''].join('\n');
  process.stdout.write(`${section}\n`);
  if (process.env.LOAD_RECORD === 'no') return;
  const sections = (existsSync(file) ? readFileSync(file, 'utf8') : intro).split(/^(?=## )/m);
  const others = sections
    .filter((other) => !other.startsWith(`## ${title}\n`))
    .map((other) => `${other.trimEnd()}\n\n`);
  writeFileSync(file, `${others.join('')}${section}`);
}

/** A command with those of the variables before it that are set. */
export const commandWith = (variables: readonly string[], command: string): string =>
  [...variables.filter((name) => process.env[name]).map((name) => `${name}=${process.env[name]}`), command].join(' ');

function circumstances(): string {
  const git = (...args: string[]) => execFileSync('git', args).toString().trim();
  const isChanged = git('status', '--porcelain', '--', ':/', ':(top,exclude)load/RESULTS.md') !== '';
  const commit = `${git('describe', '--always')}${isChanged ? '-dirty' : ''}`;
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node.js ${process.version}, ${machine}`;
}
