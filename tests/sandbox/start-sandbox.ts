/** Starts the sandbox as a process of its own, on a port that is free, and talks to it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Sandbox {
  process: ChildProcessWithoutNullStreams;
  /** Where it said that it is. */
  url: string;
  /** All of its standard output so far. */
  output: () => string;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface PartnersFile {
  partners: { name: string; adapter: string; endpoint?: string; campaigns?: unknown[] }[];
}

const main = fileURLToPath(new URL('../../src/sandbox/main.ts', import.meta.url));

export const spawnSandbox = (variables: Record<string, string> = {}): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...variables },
  });

/** Every call is answered at once, unless the variables say otherwise. */
export async function startSandbox(variables: Record<string, string> = {}): Promise<Sandbox> {
  const child = spawnSandbox({ SANDBOX_LATENCY_MS: '0', SANDBOX_NO_BID_SHARE: '0', ...variables });
  let output = '';
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('\n')) resolve();
    });
    child.on('exit', () => reject(new Error(`ended before it listened:\n${told}`)));
  });
  return {
    process: child,
    url: new URL((JSON.parse(output) as PartnersFile).partners[0]!.endpoint!).origin,
    output: () => output,
    ended,
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

export interface Answer {
  status: number;
  text: string;
}

export async function ask(sandbox: Sandbox, path: string, body?: unknown): Promise<Answer> {
  const posted = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(sandbox.url + path, body === undefined ? {} : { method: 'POST', body: posted });
  return { status: answer.status, text: await answer.text() };
}
