/** Starts the exchange as child processes, on free ports. */
import { type ChildProcess, execFileSync, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Gavel {
  process: ChildProcess;
  endpoint: string;
  admin: string;
  /** The line that the primary prints when it is ready. */
  readyLine: string;
  /** The output so far, of both streams. */
  output: () => string;
  /** Sends a signal; resolves with the exit code when the process has exited. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** What `npm start` passes to Node.js, such as `--some-option src/main.ts`: an option can change what a signal does. */
const { scripts } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8')) as { scripts: { start: string } };
const startArgs = /exec node (.+)$/.exec(scripts.start)![1]!.split(' ');
const args = startArgs.map((arg) => (arg.startsWith('-') ? arg : fromRoot(arg)));
export const testDemandFile = fileURLToPath(new URL('demand.json', import.meta.url));

/** Makes every process of the exchange run this code before its own. */
export const preload = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
});

export function spawnGavel(variables: Record<string, string> = {}, stdio: StdioOptions = 'pipe'): ChildProcess {
  const defaults = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PORT: '0',
    ADMIN_PORT: '0',
    HOST: '127.0.0.1',
    DEMAND_FILE: testDemandFile,
  };
  return spawn(process.execPath, args, { stdio, env: { ...defaults, ...variables } });
}

export const startGavel = (variables: Record<string, string> = {}): Promise<Gavel> => untilReady(spawnGavel(variables));

/** Resolves when a process that was just spawned is ready. */
export async function untilReady(child: ChildProcess): Promise<Gavel> {
  let output = '';
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const readyLine = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const line = /^gavel ready.*$/m.exec(output)?.[0];
      if (line !== undefined) resolve(line);
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.on('exit', () => reject(new Error(`exited before it was ready:\n${output}`)));
  });
  return {
    process: child,
    endpoint: /endpoint=(\S+)/.exec(readyLine)![1]!,
    admin: /admin=(\S+)/.exec(readyLine)![1]!,
    readyLine,
    output: () => output,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}

/** The process ids of the direct children; for the primary these are its workers, and the sandbox if it runs. */
export function childPids(pid: number | undefined): number[] {
  try {
    const output = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)]).toString();
    return output.trim().split(/\s+/).map(Number);
  } catch {
    return []; // ps fails if there are none
  }
}
