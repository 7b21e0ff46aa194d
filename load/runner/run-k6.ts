/** Runs k6 on a scenario and reads the summary that the script writes. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Summary } from '../lib/scenario.ts';
import type { ScenarioName } from './target.ts';

export interface K6Run {
  exitCode: number | null;
  /** Undefined if the script did not finish. */
  summary: Summary | undefined;
}

const maxErrorLines = 10;

const pathOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Builds k6 if it is not installed; throws if that fails. */
export const findK6 = (): string =>
  execFileSync(pathOf('k6'), { stdio: ['ignore', 'pipe', 'inherit'] })
    .toString()
    .trim();

/** Rejects if `interrupted` aborts the run. */
export async function runK6(
  k6: string,
  scenario: ScenarioName,
  variables: Record<string, string>,
  interrupted: AbortSignal,
): Promise<K6Run> {
  const folder = mkdtempSync(join(tmpdir(), 'gavel-load-'));
  const summaryFile = join(folder, 'summary.json');
  // An empty address disables the REST API of k6.
  const options = ['run', '--quiet', '--no-usage-report', '--address', '', pathOf(`scenarios/${scenario}.ts`)];
  const child = spawn(k6, options, {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: { ...process.env, ...variables, SUMMARY_FILE: summaryFile },
    signal: interrupted,
  });
  forwardErrors(child.stderr);
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    return { exitCode, summary: readSummary(summaryFile) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Caps the output: in a failing run, k6 prints several lines per request. */
function forwardErrors(stderr: Readable): void {
  let count = 0;
  createInterface(stderr)
    .on('line', (line) => {
      if (++count <= maxErrorLines) process.stderr.write(`${line}\n`);
    })
    .on('close', () => {
      if (count > maxErrorLines) process.stderr.write(`… and ${count - maxErrorLines} more lines from k6\n`);
    });
}

function readSummary(file: string): Summary | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Summary;
  } catch {
    return undefined;
  }
}
