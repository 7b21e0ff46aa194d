/** A short run of every fuzz target, and the inputs that fuzzing has found: none may hang, crash or break a rule. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expand } from '../support/case-file.ts';
import { numRuns } from '../support/num-runs.ts';
import { ChildHandle } from './child-handle.ts';
import { runInput, runTarget, targetName } from './run-target.ts';

/** No test measures time: an input fails if it uses seconds of CPU time. */
const limits = { stallCpuMs: 5_000, stallMs: 60_000, heapMb: 128 };
const options = { ...limits, seed: 20_261_115, from: 0, checkTime: false, maxDeaths: 1, maxShrinkTries: 20 };

const folder = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const targets = readdirSync(folder('targets')).map((file) => join(folder('targets'), file));

/** Inputs per target. Those with a real socket are slower, and `partner-response` has three per input. */
const slow: Record<string, number> = { gzip: 300, 'http-head': 300, 'partner-body': 300, 'partner-response': 150 };
const inputs = (name: string): number => numRuns(slow[name] ?? 1_000);

test.concurrent.each(targets.map((path) => [targetName(path), path] as const))('%s', async (name, path) => {
  const { findings, missingVerdicts, stats } = await runTarget(path, { ...options, to: inputs(name) });
  const found = findings.map(({ kind, message, input }) => ({
    kind,
    message,
    input: Buffer.from(input).toString('base64'),
  }));
  expect(found).toEqual([]);
  expect(missingVerdicts).toEqual([]);
  expect(stats.inputs).toBe(inputs(name));
});

interface FuzzCase {
  description: string;
  /** A string, or a shorthand for one; written as latin1 so that every byte can be given. */
  input?: unknown;
  inputBase64?: string;
  /** The verdict of the target. */
  expected: string;
}

describe.each(readdirSync(folder('cases')))('%s', (name) => {
  const child = new ChildHandle(join(folder('targets'), `${name}.ts`), name, limits);
  afterAll(() => child.stop());
  test.each(readdirSync(join(folder('cases'), name)).map((file) => file.replace(/\.json$/, '')))('%s', async (file) => {
    const one = JSON.parse(readFileSync(join(folder('cases'), name, `${file}.json`), 'utf8')) as FuzzCase;
    const input =
      one.inputBase64 === undefined ? Buffer.from(expand(one.input) as string) : Buffer.from(one.inputBase64, 'base64');
    const { verdict, found } = await runInput(child, input, false);
    expect(found).toBeUndefined();
    expect(verdict).toBe(one.expected);
  });
});
