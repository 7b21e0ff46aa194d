/** Runs k6 on a scenario, quietly, and reads what it hands over. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Summary } from '../lib/summary.ts';
import type { ScenarioName } from './settings.ts';

export interface K6Run {
  exitCode: number | null;
  /** Undefined where the script did not get to its end. */
  summary: Summary | undefined;
}

const mostLines = 10;

const pathOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Builds k6 where there is none; throws where that cannot be done. */
export const findK6 = (): string =>
  execFileSync(pathOf('k6'), { stdio: ['ignore', 'pipe', 'inherit'] })
    .toString()
    .trim();

/** Rejects where `interrupted` ends it. */
export async function runK6(
  k6: string,
  scenario: ScenarioName,
  variables: Record<string, string>,
  interrupted: AbortSignal,
): Promise<K6Run> {
  const folder = mkdtempSync(join(tmpdir(), 'gavel-load-'));
  const summaryFile = join(folder, 'summary.json');
  // No reports to k6's makers, and no port for steering it.
  const options = ['run', '--quiet', '--no-usage-report', '--address', '', pathOf(`scenarios/${scenario}.ts`)];
  const child = spawn(k6, options, {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: { ...process.env, ...variables, SUMMARY_FILE: summaryFile },
    signal: interrupted,
  });
  passOn(child.stderr);
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    return { exitCode, summary: readSummary(summaryFile) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** In a run that goes wrong there is a line or two for every request. */
function passOn(complaints: Readable): void {
  let count = 0;
  createInterface(complaints)
    .on('line', (line) => {
      if (++count <= mostLines) process.stderr.write(`${line}\n`);
    })
    .on('close', () => {
      if (count > mostLines) process.stderr.write(`… and ${count - mostLines} more lines of k6\n`);
    });
}

function readSummary(file: string): Summary | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Summary;
  } catch {
    return undefined;
  }
}
