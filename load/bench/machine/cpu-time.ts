/** The CPU time of the whole machine as the Linux kernel counts it, in ticks of 10 ms (proc_stat(5)). */
import { readFileSync } from 'node:fs';

/** USER_HZ is 100 on every Linux. */
export const tickMicros = 10_000;

export interface CpuTime {
  /** Without idle time and I/O wait. */
  readonly used: number;
  /** Requested by processes, and withheld by the hypervisor ("steal"). */
  readonly withheld: number;
}

/** Zero on other systems than Linux. */
export const cpuTime = (file = '/proc/stat'): CpuTime =>
  process.platform === 'linux' ? readCpuTime(readFileSync(file, 'utf8')) : { used: 0, withheld: 0 };

export function readCpuTime(stat: string): CpuTime {
  const [user, nice, system, , , irq, softirq, steal] = stat.split(/\s+/).slice(1).map(Number);
  return { used: user! + nice! + system! + irq! + softirq!, withheld: steal! };
}

/** The part of the CPU time asked for between two readings that the hypervisor withheld. */
export function withheldShare(before: CpuTime, after: CpuTime): number {
  const withheld = after.withheld - before.withheld;
  return withheld / Math.max(after.used - before.used + withheld, 1);
}
