/** The memory that the exchange holds: its primary and workers, without the sandbox that it started. */
import { execFileSync } from 'node:child_process';

/** When a run has reached its pace, and caches and compiled code are there. */
const settledMs = 30_000;

/** The function tells at the end, and for a run long enough also how it began. */
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
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,args=']).toString();
  const kilobytes = table
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((row) => row !== null)
    .filter(([, pid, parent, , command]) => [pid, parent].includes(String(primary)) && !command!.includes('/sandbox/'))
    .map(([, , , rss]) => Number(rss));
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024);
}
