/** Resident memory of the exchange: the primary and its workers, without the sandbox demand. */
import { execFileSync } from 'node:child_process';

/** By then the run has reached its rate, and caches and compiled code have been filled. */
const settledMs = 30_000;

/** Returns a function that reports the memory at the end of the run and, in a run longer than 30 s, after 30 s. */
export function watchMemory(primary: number): () => string {
  let settled = '';
  const timer = setTimeout(() => {
    settled = `${residentMiB(primary)} MiB after ${settledMs / 1000} s, `;
  }, settledMs).unref();
  return () => {
    clearTimeout(timer);
    return `Resident memory of primary and workers: ${settled}${residentMiB(primary)} MiB at the end.`;
  };
}

function residentMiB(primary: number): number {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,args=']).toString();
  const kilobytes = processes
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((row) => row !== null)
    .filter(([, pid, parent, , command]) => [pid, parent].includes(String(primary)) && !command!.includes('/sandbox/'))
    .map(([, , , rss]) => Number(rss));
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024);
}
