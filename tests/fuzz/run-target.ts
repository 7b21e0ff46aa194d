/** Fuzzes one target: restarts its child after a stall or a crash, and shrinks what was found. */
import { basename } from 'node:path';
import { ChildHandle, type ChildLimits } from './child-handle.ts';
import type { Finding, FuzzRange, RunStats } from './protocol.ts';
import { shrink } from './shrink.ts';

export interface TargetReport {
  name: string;
  stats: RunStats;
  seconds: number;
  /** One per kind and message, each with the smallest input found for it. */
  findings: ReportedFinding[];
  /** The verdicts that the target can have and did not have. */
  missingVerdicts: string[];
}

export interface ReportedFinding extends Finding {
  /** How many inputs showed it. */
  count: number;
  /** Whether the input alone shows it in a fresh process. */
  reproduced: boolean;
}

export interface RunTargetOptions extends ChildLimits, FuzzRange {
  /** The rest of a target that stalls or crashes this often is not run. */
  maxDeaths: number;
  maxShrinkTries: number;
}

/** A target with this many different findings is broken: the rest is not run. */
const maxFindings = 12;
/** A candidate that stalls or crashes costs a second or more. */
const maxDeadlyShrinkTries = 16;

export const targetName = (path: string): string => basename(path).replace(/\.ts$/, '');

/** The weight of a target and its verdicts. */
export async function readTarget(path: string, limits: ChildLimits): Promise<{ weight: number; verdicts: string[] }> {
  const child = new ChildHandle(path, targetName(path), limits);
  let read = { weight: 0, verdicts: [] as string[] };
  const failure = await child.listen(undefined, (message) => {
    if (message.kind === 'ready') read = { weight: message.weight, verdicts: [...message.verdicts] };
    return message.kind === 'ready';
  });
  await child.stop();
  if (failure) throw new Error(`the target ${path} does not start: ${failure.message}`);
  return read;
}

export async function runTarget(path: string, options: RunTargetOptions): Promise<TargetReport> {
  const startedAtMs = performance.now();
  const total: RunStats = { inputs: 0, slowestMicros: 0, heapGrowthBytes: 0, verdicts: {} };
  const findings = new Map<string, ReportedFinding>();
  let verdicts: readonly string[] = [];
  let deaths = 0;
  let from = options.from;
  while (from < options.to && findings.size < maxFindings && deaths < options.maxDeaths) {
    const part = await runPart(path, { ...options, from }, findings);
    verdicts = part.verdicts;
    add(total, part.stats);
    if (!part.death) break;
    deaths++;
    addFinding(findings, part.death);
    from = part.death.index + 1;
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  for (const finding of findings.values()) await shrinkFinding(path, finding, options);
  const missingVerdicts = verdicts.filter((verdict) => total.verdicts[verdict] === undefined);
  return { name: targetName(path), stats: total, seconds, findings: [...findings.values()], missingVerdicts };
}

interface Part {
  stats: RunStats;
  verdicts: readonly string[];
  /** The stall or crash that ended the child. */
  death: Finding | undefined;
}

/** Runs until the end of the range, the death of the child or too many findings. */
async function runPart(path: string, options: RunTargetOptions, findings: Map<string, ReportedFinding>): Promise<Part> {
  const { seed, from, to, checkTime } = options;
  const child = new ChildHandle(path, targetName(path), options);
  let stats: RunStats = { inputs: 0, slowestMicros: 0, heapGrowthBytes: 0, verdicts: {} };
  let verdicts: readonly string[] = [];
  const failed = await child.listen(undefined, (message) => {
    if (message.kind === 'ready') verdicts = message.verdicts;
    return message.kind === 'ready';
  });
  const death =
    failed ??
    (await child.listen({ kind: 'fuzz', seed, from, to, checkTime }, (message) => {
      if (message.kind === 'finding') addFinding(findings, message.finding);
      if (message.kind === 'progress' || message.kind === 'done') stats = message.stats;
      return message.kind === 'done' || findings.size >= maxFindings;
    }));
  await child.stop();
  if (death) stats.inputs = death.index + 1 - from;
  return { stats, verdicts, death };
}

function add(total: RunStats, { inputs, slowestMicros, heapGrowthBytes, verdicts }: RunStats): void {
  total.inputs += inputs;
  total.slowestMicros = Math.max(total.slowestMicros, slowestMicros);
  total.heapGrowthBytes = Math.max(total.heapGrowthBytes, heapGrowthBytes);
  for (const [verdict, count] of Object.entries(verdicts)) {
    total.verdicts[verdict] = (total.verdicts[verdict] ?? 0) + count;
  }
}

/** Findings that differ only in numbers and quoted text are the same. */
const signatureOf = ({ kind, message }: Finding): string =>
  `${kind} ${message
    .split('\n', 1)[0]!
    .replaceAll(/\d+|"[^"]*"|\(.*\)/g, '#')
    .slice(0, 200)}`;

/** How many times its limit a slow input took. The worst one is reported. */
function excess({ message }: Finding): number {
  const [micros = 0, limit = 1] = (message.match(/\d+/g) ?? []).map(Number);
  return micros / limit;
}

function addFinding(findings: Map<string, ReportedFinding>, finding: Finding): void {
  const signature = signatureOf(finding);
  const known = findings.get(signature);
  if (!known) findings.set(signature, { ...finding, count: 1, reproduced: false });
  else {
    if (finding.kind === 'slow' && excess(finding) > excess(known)) Object.assign(known, finding);
    known.count++;
  }
}

async function shrinkFinding(path: string, finding: ReportedFinding, options: RunTargetOptions): Promise<void> {
  if (finding.input.length === 0) return;
  let child = new ChildHandle(path, targetName(path), options);
  const signature = signatureOf(finding);
  const stillFails = async (input: Uint8Array): Promise<boolean> => {
    const { found, died } = await runInput(child, input, finding.kind === 'slow');
    // The peak of a process can be raised only once.
    if (died || found?.kind === 'memory') {
      await child.stop();
      child = new ChildHandle(path, targetName(path), options);
    }
    return found !== undefined && signatureOf(found) === signature;
  };
  finding.reproduced = await stillFails(finding.input);
  const isDeadly = ['stall', 'crash', 'memory'].includes(finding.kind);
  const maxTries = Math.min(options.maxShrinkTries, isDeadly ? maxDeadlyShrinkTries : Infinity);
  if (finding.reproduced) finding.input = await shrink(finding.input, stillFails, maxTries);
  await child.stop();
}

export interface InputResult {
  verdict: string | undefined;
  found: Finding | undefined;
  died: boolean;
}

/** Runs one input in a child. */
export async function runInput(child: ChildHandle, input: Uint8Array, checkTime: boolean): Promise<InputResult> {
  let verdict: string | undefined;
  let found: Finding | undefined;
  const death = await child.listen({ kind: 'run', input, checkTime }, (message) => {
    if (message.kind !== 'ran') return false;
    ({ verdict, finding: found } = message);
    return true;
  });
  return { verdict, found: found ?? death, died: death !== undefined };
}
