/**
 * Fuzzes all targets, or one: FUZZ inputs in total, TARGET, SEED, FROM (the first index) and INPUT (one input in base64)
 * are set in the environment. Exits with 1 if anything is found.
 */
import { availableParallelism } from 'node:os';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChildHandle } from './child-handle.ts';
import { formatFinding, formatTable } from './report.ts';
import { readTarget, runInput, runTarget, type TargetReport, targetName } from './run-target.ts';

const { FUZZ, TARGET, SEED, FROM, INPUT } = process.env;
const total = toInteger('FUZZ', FUZZ, 1_000_000);
const seed = toInteger('SEED', SEED, 1);
const from = toInteger('FROM', FROM, 0);
const limits = { stallCpuMs: 1_000, stallMs: 60_000, heapMb: 128 };
const options = { ...limits, seed, checkTime: true, maxDeaths: 4, maxShrinkTries: 300 };

const folder = fileURLToPath(new URL('targets', import.meta.url));
const all = readdirSync(folder)
  .toSorted()
  .map((file) => join(folder, file));
const paths = TARGET ? all.filter((path) => targetName(path) === TARGET) : all;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

function toInteger(name: string, text: string | undefined, byDefault: number): number {
  const value = text ? Number(text) : byDefault;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  print(`${name} must be an integer; got ${text}`);
  process.exit(2);
}

async function runAll(): Promise<TargetReport[]> {
  const targets = await inParallel(paths, async (path) => ({ path, ...(await readTarget(path, limits)) }));
  const weights = targets.reduce((sum, { weight }) => sum + weight, 0);
  print(`${total.toLocaleString('en')} inputs, seed ${seed}`);
  return inParallel(targets, async ({ path, weight }) => {
    const inputs = Math.ceil((total * weight) / weights);
    const report = await runTarget(path, { ...options, from, to: from + inputs });
    for (const finding of report.findings) print(formatFinding(report.name, finding, seed));
    return report;
  });
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await run(next[1]);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}

async function replay(path: string, input: Buffer): Promise<boolean> {
  const child = new ChildHandle(path, targetName(path), limits);
  const { verdict, found } = await runInput(child, input, true);
  await child.stop();
  print(found ? `${found.kind}: ${found.message}` : `no finding, verdict ${verdict}`);
  return found === undefined;
}

if (paths.length === 0) {
  print(`TARGET must be one of ${all.map(targetName).join(', ')}; got ${TARGET}`);
  process.exit(2);
}
if (INPUT) process.exit((await replay(paths[0]!, Buffer.from(INPUT, 'base64'))) ? 0 : 1);
const reports = await runAll();
print(formatTable(reports));
process.exit(reports.every(({ findings }) => findings.length === 0) ? 0 : 1);
