/** Starts the exchange as its operators do, as processes of its own, on ports that are free. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Gavel {
  process: ChildProcess;
  endpoint: string;
  admin: string;
  /** The line that said it was ready. */
  readyLine: string;
  /** Everything printed so far. */
  output: () => string;
  /** Sends a signal and waits for the end; resolves with the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
export const testDemandFile = fileURLToPath(new URL('demand.json', import.meta.url));

export function spawnGavel(variables: Record<string, string> = {}): ChildProcess {
  const defaults = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PORT: '0',
    ADMIN_PORT: '0',
    HOST: '127.0.0.1',
    DEMAND_FILE: testDemandFile,
  };
  return spawn(process.execPath, [main], { env: { ...defaults, ...variables } });
}

export async function startGavel(variables: Record<string, string> = {}): Promise<Gavel> {
  const child = spawnGavel(variables);
  let output = '';
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const readyLine = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const line = /^gavel ready.*$/m.exec(output)?.[0];
      if (line !== undefined) resolve(line);
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.on('exit', () => reject(new Error(`ended before it was ready:\n${output}`)));
  });
  return {
    process: child,
    endpoint: /endpoint=(\S+)/.exec(readyLine)![1]!,
    admin: /admin=(\S+)/.exec(readyLine)![1]!,
    readyLine,
    output: () => output,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await ended)[0];
    },
  };
}
