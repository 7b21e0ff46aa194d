/** What processes that were started with the watch tell of themselves. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWithUs } from '../machine/with-us.ts';

export interface Longest {
  stallMs: number;
  collectionMs: number;
}

interface Second extends Longest {
  atMs: number;
}

/** The variables that have a Node.js process watch itself. */
export const watching = (folder: string) => ({
  NODE_OPTIONS: `--import=${new URL('watch.ts', import.meta.url).href}`,
  WATCH_FOLDER: folder,
});

/** A process that does nothing: where it stalls too, the machine does. Returns its pid. */
export function startWitness(folder: string): number {
  const witness = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, ...watching(folder) },
  });
  endWithUs(() => witness.kill());
  return witness.pid!;
}

/** Of all those processes, in the seconds that ended between these times. */
export function longestOf(folder: string, pids: readonly number[], fromMs: number, toMs: number): Longest {
  const seconds = pids
    .flatMap((pid) =>
      readFileSync(join(folder, String(pid)), 'utf8')
        .trim()
        .split('\n'),
    )
    .map((line) => JSON.parse(line) as Second)
    .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  return {
    stallMs: Math.max(...seconds.map(({ stallMs }) => stallMs)),
    collectionMs: Math.max(...seconds.map(({ collectionMs }) => collectionMs)),
  };
}
