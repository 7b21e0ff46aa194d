/** The processes of the siege besides the exchange: each runs one script and responds to one command at a time. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { onExit } from '../../bench/machine/start.ts';
import { ratePerAddress } from '../settings.ts';

export interface Role<Command, Reply> {
  pid: number;
  run(command: Command): Promise<Reply>;
  stop(): void;
}

/** `idle` gets only the CPU time that all others leave, and yields to them at once. `first` gets its turn before all others, where the user may raise priorities. */
export type RolePriority = 'idle' | 'normal' | 'first';

/** `script` is a file of this folder. */
export function startRole<Command extends object, Reply>(
  script: string,
  args: readonly string[],
  priority: RolePriority = 'normal',
): Role<Command, Reply> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    env: { PATH: process.env.PATH, LIMIT_IP: String(ratePerAddress) },
  });
  onExit(() => child.kill());
  setPriorityOf(child, priority);
  return {
    pid: child.pid!,
    stop: () => void child.kill(),
    async run(command) {
      const ended = new AbortController();
      const reply = once(child, 'message', { signal: ended.signal }) as Promise<[Reply]>;
      const exit = once(child, 'exit', { signal: ended.signal }).then(() => {
        throw new Error(`${script} exited`);
      });
      child.send(command);
      try {
        return (await Promise.race([reply, exit]))[0];
      } finally {
        ended.abort();
        reply.catch(() => {});
        exit.catch(() => {});
      }
    },
  };
}

/** Not nice 19 for `idle`: the scheduler may let such a process finish its time slice before one of normal priority that has work, and does not count its core as free. */
function setPriorityOf({ pid }: ChildProcess, priority: RolePriority): void {
  if (priority === 'idle') execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)]);
  if (priority !== 'first') return;
  try {
    setPriority(pid!, constants.priority.PRIORITY_HIGH);
  } catch {
    // Only root may raise a priority; the siege works without.
  }
}

/** In the process of a role: responds to the commands of the siege, and ends with it. */
export function serveRole(handle: (command: never) => object | Promise<object>): void {
  process.on('message', (command) => {
    void (async () => process.send!(await handle(command as never)))();
  });
  process.on('disconnect', () => process.exit(0));
}
