/** The processes of the siege besides the exchange: each runs one script and responds to one command at a time. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { onExit } from '../../bench/machine/start.ts';
import { ratePerAddress } from '../settings.ts';

export interface Role<Command, Reply> {
  pid: number;
  run(command: Command): Promise<Reply>;
  stop(): void;
}

/** Attackers get only the CPU time that the exchange and the ordinary client leave. */
export const attackerPriority = 19;
/** Where the user may raise priorities, the ordinary client gets its turn before everything else. */
export const clientPriority = -10;

/** `script` is a file of this folder; `priority` as for nice. */
export function startRole<Command extends object, Reply>(
  script: string,
  args: readonly string[],
  priority = 0,
): Role<Command, Reply> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    env: { PATH: process.env.PATH, LIMIT_IP: String(ratePerAddress) },
  });
  onExit(() => child.kill());
  tryToSetPriority(child, priority);
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

function tryToSetPriority({ pid }: ChildProcess, priority: number): void {
  try {
    setPriority(pid!, priority);
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
