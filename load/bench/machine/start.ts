/** Starts a contender, or the exchange itself, as processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { childrenOf } from './processes.ts';
import { endWithUs } from './with-us.ts';

export interface Running {
  url: string;
  /** The admin server; only the exchange has one. */
  admin: string | undefined;
  primary: number;
  workers: number[];
  /** Ends it; resolves with the warnings and worse in its log. */
  end(): Promise<string[]>;
}

/** `script` from the root of the project. */
export async function start(script: string, variables: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`../../../${script}`, import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, ...variables },
  });
  endWithUs(() => child.kill());
  const line = await readyLine(child, script);
  const complaints = drain(child);
  return {
    url: /endpoint=(\S+)/.exec(line)![1]!,
    admin: /admin=(\S+)/.exec(line)?.[1],
    primary: child.pid!,
    workers: childrenOf(child.pid!),
    end: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      return complaints;
    },
  };
}

function readyLine(child: ChildProcess, script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const line = /^.*ready .*$/m.exec(output)?.[0];
      if (line === undefined) return;
      child.stdout!.off('data', read);
      resolve(line);
    };
    child.stdout!.on('data', read);
    child.on('exit', () => reject(new Error(`${script} ended:\n${output}`)));
  });
}

const severe = ['"level":40', '"level":50', '"level":60'];
const isSevere = (text: string | Buffer): boolean => severe.some((level) => text.includes(level));

/** Reads the log as cheaply as can be, and keeps the lines that are severe. */
function drain({ stdout }: ChildProcess): string[] {
  const complaints: string[] = [];
  stdout!.on('data', (chunk: Buffer) => {
    if (isSevere(chunk)) complaints.push(...chunk.toString().split('\n').filter(isSevere));
  });
  return complaints;
}
