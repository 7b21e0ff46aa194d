/** Other checkouts of the project, whose exchange a benchmark compares with this one's. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder that the variable names. Exits if it is no checkout. */
export function checkoutOf(variable: string): string {
  const folder = resolve(process.env[variable] ?? '');
  if (process.env[variable] && existsSync(join(folder, 'src/main.ts'))) return folder;
  process.stderr.write(`${variable} must be the folder of another checkout, with its packages installed\n`);
  process.exit(2);
}

/** Its commit, and whether it has changes beyond it. */
export const commitOf = (checkout: string): string =>
  execFileSync('git', ['-C', checkout, 'describe', '--always', '--dirty']).toString().trim();
