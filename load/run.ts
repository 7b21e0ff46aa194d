/** Runs one load scenario from start to end: `node load/run.ts SCENARIO`, or `make load SCENARIO=…`. */
import { loadavg } from 'node:os';
import { commandWith, writeResults } from './bench/results.ts';
import type { Summary } from './lib/summary.ts';
import { failuresOf, isOnlySlow, reportLines } from './runner/report.ts';
import { watchMemory } from './runner/resident-memory.ts';
import { findK6, runK6 } from './runner/run-k6.ts';
import { isScenario, type ScenarioName, scenarios } from './runner/settings.ts';
import { openTarget, type Target } from './runner/target.ts';

/** EX_USAGE of sysexits.h. */
const exitBadUsage = 64;
/** EX_TEMPFAIL: every answer was right and some were only late, which on a busy machine may be different the next time. */
const exitOnlySlow = 75;
/** What k6 says where a threshold was crossed, and nothing worse happened. */
const k6Crossed = 99;

/** What may be set to change a run, the limits to tell those at TARGET_URL; with LOAD_RECORD=no the results are only printed. */
const variables = ['TARGET_URL', 'LIMIT_IP', 'LIMIT_PUBLISHER', 'LOAD_RATE', 'LOAD_SECONDS'];

const say = (line: string): boolean => process.stderr.write(`load: ${line}\n`);

async function run(scenario: ScenarioName, interrupted: AbortSignal): Promise<number> {
  const k6 = findK6();
  const [loadBefore] = loadavg();
  const target = await openTarget(scenario);
  say(`${scenario} against ${target.url}`);
  const { ran, memory, problems } = await measure(k6, scenario, target, interrupted);
  if (!ran.summary) say('k6 did not get to its end');
  else {
    record(scenario, ran.summary, [startedWith(target), `Load average before: ${loadBefore!.toFixed(1)}.`, ...memory]);
    problems.push(...failuresOf(ran.summary));
  }
  for (const problem of problems) say(problem);
  if (ran.exitCode === k6Crossed && isOnlySlow(problems)) return exitOnlySlow;
  return ran.exitCode || (problems.length > 0 ? 1 : 0);
}

/** Whatever becomes of k6, what was started is ended, which adds to the problems. */
async function measure(k6: string, scenario: ScenarioName, target: Target, interrupted: AbortSignal) {
  const watch = target.pid === undefined ? undefined : watchMemory(target.pid);
  const problems: string[] = [];
  try {
    const ran = await runK6(k6, scenario, { ...target.settings, TARGET_URL: target.url }, interrupted);
    return { ran, problems, memory: watch ? [watch()] : [] };
  } finally {
    problems.push(...(await target.end()));
  }
}

function startedWith({ pid, settings }: Target): string {
  if (pid === undefined) return 'Against an exchange that was running.';
  const given = Object.entries(settings)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `\`${name}=${value}\``);
  return `Exchange, sandbox demand, Redis and k6 on the same machine; the exchange with ${given.join(', ')}.`;
}

function record(scenario: ScenarioName, summary: Summary, notes: readonly string[]): void {
  const command = commandWith(variables, `make load SCENARIO=${scenario}`);
  writeResults(`Load: ${scenario}`, command, reportLines(summary, notes));
}

/** A signal ends k6; what was started then ends in order. */
async function runInterruptibly(scenario: ScenarioName): Promise<number> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());
  try {
    return await run(scenario, interruption.signal);
  } catch (error) {
    say((error as Error).message);
    return 1;
  }
}

const scenario = process.argv[2];
if (isScenario(scenario)) process.exitCode = await runInterruptibly(scenario);
else {
  say(`SCENARIO is one of ${scenarios.join(', ')}`);
  process.exitCode = exitBadUsage;
}
