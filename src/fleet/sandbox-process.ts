/** Demand for runs without a partners file: a process of its own, which says on its first line where it is. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readPartners } from '../config/partners-file.ts';
import { BadConfiguration } from '../config/problems.ts';
import type { Config } from '../config/config.ts';

const main = fileURLToPath(new URL('../sandbox/main.ts', import.meta.url));

/** Resolves with its partners when it listens. It ends when this process does: told to, or by the end of its standard input. */
export async function startSandbox(): Promise<Config['partners']> {
  const sandbox = spawn(process.execPath, [main], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true, // Ctrl-C goes to the whole group: a drain must still find its partners
    env: { ...process.env, SANDBOX_STDIN: 'parent' },
  });
  sandbox.unref();
  process.once('exit', () => sandbox.kill());
  for await (const line of createInterface(sandbox.stdout)) {
    const read = readPartners(JSON.parse(line), 'sandbox');
    if ('problems' in read) throw new BadConfiguration(read.problems);
    return read.partners;
  }
  throw new Error('the sandbox demand did not start');
}
