/** How much of the machine others took while something was measured: what tells a disturbed round from a quiet one. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { cpuMicros } from './processes.ts';

/** USER_HZ, which is 100 wherever Linux runs. */
const tickMicros = 10_000;

/** `ours` live through the measurement, beside this process and the children it waits for meanwhile. */
export function watchOthers(ours: readonly number[]): () => number {
  const startedAt = performance.now();
  const before = othersMicros(ours);
  return () => {
    const cores = cpus().length;
    const elapsedMicros = (performance.now() - startedAt) * 1000 * cores;
    return Math.max((othersMicros(ours) - before) / elapsedMicros, 0);
  };
}

const othersMicros = (ours: readonly number[]): number =>
  busyMicros() - endedChildrenMicros() - [process.pid, ...ours].reduce((sum, pid) => sum + cpuMicros(pid), 0);

/** Of all cores: neither idle nor waiting for a disk. Time stolen by the host counts. */
function busyMicros(): number {
  const [, user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8').split(/\s+/).map(Number);
  return (user! + nice! + system! + irq! + softirq! + steal!) * tickMicros;
}

/** As `proc_pid_stat(5)` counts them: cutime is the 16th field, cstime the 17th, and the second may hold spaces. */
function endedChildrenMicros(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) * tickMicros;
}
