/** Starts processes with the pause monitor and reads what it recorded. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onExit } from '../machine/start.ts';

export interface LongestPauses {
  stallMs: number;
  collectionMs: number;
}

interface PauseRecord extends LongestPauses {
  atMs: number;
}

/** The environment variables that load the pause monitor into a Node.js process. */
export const pauseMonitor = (folder: string) => ({
  NODE_OPTIONS: `--import=${new URL('pause-monitor.ts', import.meta.url).href}`,
  PAUSE_MONITOR_FOLDER: folder,
});

/** Starts an idle process for comparison: its stalls are those of the machine. Returns its pid. */
export function startIdleProcess(folder: string): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, ...pauseMonitor(folder) },
  });
  onExit(() => child.kill());
  return child.pid!;
}

/** The longest pauses of these processes between two times. */
export function longestPauses(folder: string, pids: readonly number[], fromMs: number, toMs: number): LongestPauses {
  const records = pids
    .flatMap((pid) =>
      readFileSync(join(folder, String(pid)), 'utf8')
        .trim()
        .split('\n'),
    )
    .map((line) => JSON.parse(line) as PauseRecord)
    .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  return {
    stallMs: Math.max(...records.map(({ stallMs }) => stallMs)),
    collectionMs: Math.max(...records.map(({ collectionMs }) => collectionMs)),
  };
}
