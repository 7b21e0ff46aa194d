/** Runs one load scenario and records its results: `node load/run.ts SCENARIO` or `make load SCENARIO=…`. */
import { loadavg } from 'node:os';
import { cpuTime, withheldShare } from './bench/machine/cpu-time.ts';
import type { Summary } from './lib/scenario.ts';
import { commandWith, writeResults } from './results.ts';
import { failuresOf, isOnlySlow, reportLines } from './runner/report.ts';
import { watchMemory } from './runner/resident-memory.ts';
import { findK6, runK6 } from './runner/run-k6.ts';
import { isScenario, openTarget, type ScenarioName, scenarios, type Target } from './runner/target.ts';

/** EX_USAGE in sysexits.h. */
const exitBadUsage = 64;
/** EX_TEMPFAIL: every response was correct and some were late, which may pass on a less busy machine. */
const exitOnlySlow = 75;
/** EX_UNAVAILABLE: the same, while the hypervisor withheld so much CPU time that lateness says nothing about the exchange. */
const exitSlowMachine = 69;
const withheldTooMuch = 0.1;
/** Set by the test of `.ci/smoke`, whose machine may be any. */
const statFile = process.env.PROC_STAT;
/** The exit code of k6 if a threshold was crossed. */
const k6ThresholdCrossed = 99;

/** Recorded with the results if set. The limits describe the exchange at TARGET_URL. */
const variables = ['TARGET_URL', 'LIMIT_IP', 'LIMIT_PUBLISHER', 'LOAD_RATE', 'LOAD_SECONDS'];

const log = (line: string): boolean => process.stderr.write(`load: ${line}\n`);

async function run(scenario: ScenarioName, interrupted: AbortSignal): Promise<number> {
  const k6 = findK6();
  const [loadBefore] = loadavg();
  const cpuBefore = cpuTime(statFile);
  const target = await openTarget(scenario);
  log(`${scenario} against ${target.url}`);
  const { ran, memory, problems } = await measure(k6, scenario, target, interrupted);
  const withheld = withheldShare(cpuBefore, cpuTime(statFile));
  if (!ran.summary) log('k6 did not finish');
  else {
    record(scenario, ran.summary, [
      describeTarget(target),
      `Load average before: ${loadBefore!.toFixed(1)}. CPU time withheld by the hypervisor: ${(withheld * 100).toFixed(0)}%.`,
      ...memory,
    ]);
    problems.push(...failuresOf(ran.summary));
  }
  for (const problem of problems) log(problem);
  if (ran.exitCode === k6ThresholdCrossed && isOnlySlow(problems)) {
    return withheld > withheldTooMuch ? exitSlowMachine : exitOnlySlow;
  }
  return ran.exitCode || (problems.length > 0 ? 1 : 0);
}

/** Stops the target even if k6 fails. */
async function measure(k6: string, scenario: ScenarioName, target: Target, interrupted: AbortSignal) {
  const watch = target.pid === undefined ? undefined : watchMemory(target.pid);
  const problems: string[] = [];
  try {
    const ran = await runK6(k6, scenario, { ...target.settings, TARGET_URL: target.url }, interrupted);
    return { ran, problems, memory: watch ? [watch()] : [] };
  } finally {
    problems.push(...(await target.stop()));
  }
}

function describeTarget({ pid, settings }: Target): string {
  if (pid === undefined) return 'The exchange was already running.';
  const variablesSet = Object.entries(settings)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `\`${name}=${value}\``);
  return `Exchange, sandbox demand, Redis and k6 shared the machine; the exchange ran with ${variablesSet.join(', ')}.`;
}

function record(scenario: ScenarioName, summary: Summary, notes: readonly string[]): void {
  const command = commandWith(variables, `make load SCENARIO=${scenario}`);
  writeResults(`Load: ${scenario}`, command, reportLines(summary, notes));
}

/** A signal aborts k6; the target is then stopped as usual. */
async function runInterruptibly(scenario: ScenarioName): Promise<number> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());
  try {
    return await run(scenario, interruption.signal);
  } catch (error) {
    log((error as Error).message);
    return 1;
  }
}

const scenario = process.argv[2];
if (isScenario(scenario)) process.exitCode = await runInterruptibly(scenario);
else {
  log(`SCENARIO must be one of ${scenarios.join(', ')}; got ${scenario ?? 'nothing'}`);
  process.exitCode = exitBadUsage;
}
