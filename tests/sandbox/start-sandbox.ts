/** Starts the sandbox as a child process on a free port, and sends requests to it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Sandbox {
  process: ChildProcessWithoutNullStreams;
  /** The base URL from the partners file that it printed. */
  url: string;
  /** Its standard output so far. */
  output: () => string;
  /** Resolves with the exit code. */
  exited: Promise<number | null>;
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

/** Every call gets a bid without latency, unless the variables change that. */
export async function startSandbox(variables: Record<string, string> = {}): Promise<Sandbox> {
  const child = spawnSandbox({ SANDBOX_LATENCY_MS: '0', SANDBOX_NO_BID_SHARE: '0', ...variables });
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('\n')) resolve();
    });
    child.on('exit', () => reject(new Error(`exited before it listened:\n${errors}`)));
  });
  return {
    process: child,
    url: new URL((JSON.parse(output) as PartnersFile).partners[0]!.endpoint!).origin,
    output: () => output,
    exited,
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}

export interface SandboxResponse {
  status: number;
  text: string;
}

/** Sends a POST if there is a body, otherwise a GET. */
export async function send(sandbox: Sandbox, path: string, body?: unknown): Promise<SandboxResponse> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(sandbox.url + path, body === undefined ? {} : { method: 'POST', body: text });
  return { status: response.status, text: await response.text() };
}
