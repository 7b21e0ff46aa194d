/** Starts the sandbox demand as a child process, for runs without a partners file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/config-error.ts';
import { readPartners } from '../config/partners-file.ts';
import { forwardLines } from '../observe/forward-lines.ts';
import { stderr } from '../observe/standard-streams.ts';

const main = fileURLToPath(new URL('../sandbox/main.ts', import.meta.url));

/**
 * Resolves with the partners that the sandbox prints as its first line once it listens. The sandbox exits with this
 * process: by a signal on `exit`, or because its standard input closes.
 */
export async function startSandbox(): Promise<Config['partners']> {
  const sandbox = spawn(process.execPath, [main], {
    stdio: 'pipe',
    detached: true, // Ctrl-C signals the whole process group, but auctions still need their partners during a drain
    env: { ...process.env, SANDBOX_STDIN: 'parent' },
  });
  sandbox.unref();
  const exited = once(sandbox, 'exit');
  const errorsForwarded = forwardLines(sandbox.stderr, stderr);
  const stop = () => sandbox.kill();
  process.once('exit', stop);
  sandbox.once('exit', (code, signal) => {
    process.off('exit', stop);
    stderr.write(
      `gavel: the sandbox demand has ended (${signal ?? `exit code ${code}`}); its partners no longer respond\n`,
    );
  });
  for await (const line of createInterface(sandbox.stdout)) {
    const result = readPartners(JSON.parse(line), 'sandbox');
    if ('problems' in result) throw new ConfigError(result.problems);
    return result.partners;
  }
  sandbox.ref();
  await Promise.all([errorsForwarded, exited]);
  process.exit(sandbox.exitCode || 1); // it has written why it could not start
}
