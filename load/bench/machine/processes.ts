/** What the kernel knows of processes: their children, their CPU time, their memory, and where they may run. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

export const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)])
    .toString()
    .trim()
    .split(/\s+/)
    .map(Number);

/** User and system time of all its threads. */
export const cpuMicros = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]))
    .reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1000;

export const residentMiB = (pid: number): number => statusMiB(pid, 'VmRSS');
export const peakResidentMiB = (pid: number): number => statusMiB(pid, 'VmHWM');

function statusMiB(pid: number, field: string): number {
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kilobytes) / 1024;
}

export const allCores = `0-${cpus().length - 1}`;

/** All threads it has, and with them whatever they start from then on; `cores` as taskset reads them. */
export function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['-acp', cores, String(pid)]);
}
