/** Starts the sandbox demand with the quickest answers it has: always a bid, and no wait before it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endWithUs } from './with-us.ts';

export interface Sandbox {
  /** Where its OpenRTB partners take bid requests. */
  endpoints: string[];
  pid: number;
}

const main = fileURLToPath(new URL('../../../src/sandbox/main.ts', import.meta.url));

export async function startSandbox(): Promise<Sandbox> {
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, SANDBOX_LATENCY_MS: '0', SANDBOX_NO_BID_SHARE: '0' },
  });
  endWithUs(() => child.kill());
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { partners } = JSON.parse(line) as { partners: { adapter: string; endpoint: string }[] };
  const endpoints = partners.filter(({ adapter }) => adapter === 'openrtb').map(({ endpoint }) => endpoint);
  return { endpoints, pid: child.pid! };
}
