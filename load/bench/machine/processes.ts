/** Processes as the Linux kernel reports them: children, CPU time, memory and CPU affinity. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { cpuTime, tickMicros } from './cpu-time.ts';

export const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)])
    .toString()
    .trim()
    .split(/\s+/)
    .map(Number);

/** User and system time of all threads. */
export const cpuMicros = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]))
    .reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1000;

export const residentMiB = (pid: number): number => statusMiB(pid, 'VmRSS');
export const peakResidentMiB = (pid: number): number => statusMiB(pid, 'VmHWM');

/** Each page divided by the number of processes that map it. */
export function proportionalMiB(pid: number): number {
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))!;
  return Number(kilobytes) / 1024;
}

function statusMiB(pid: number, field: string): number {
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kilobytes) / 1024;
}

export const allCores = `0-${cpus().length - 1}`;

/** Pins all threads of a process, and threads that they start later; `cores` in the syntax of taskset. */
export function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['-acp', cores, String(pid)]);
}

/**
 * Starts measuring the CPU load of unrelated processes; the returned function stops and returns it as a share of all cores.
 * `own` are the processes of the benchmark besides this one. They must live until the end; exited children are included.
 */
export function watchOtherLoad(own: readonly number[]): () => number {
  const startedAt = performance.now();
  const before = otherMicros(own);
  return () => {
    const elapsedMicros = (performance.now() - startedAt) * 1000 * cpus().length;
    return Math.max((otherMicros(own) - before) / elapsedMicros, 0);
  };
}

const otherMicros = (own: readonly number[]): number =>
  busyMicros() - exitedChildrenMicros() - [process.pid, ...own].reduce((sum, pid) => sum + cpuMicros(pid), 0);

/** Busy time of all cores, with time withheld by the hypervisor. */
function busyMicros(): number {
  const { used, withheld } = cpuTime();
  return (used + withheld) * tickMicros;
}

/** `cutime` and `cstime`, fields 16 and 17 of proc_pid_stat(5); field 2 may contain spaces. */
function exitedChildrenMicros(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) * tickMicros;
}
