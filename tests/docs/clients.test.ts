/** The clients of docs/clients.md, run as they are shown. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Gavel, startGavel } from '../support/start-gavel.ts';

const run = promisify(execFile);
const document = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');

interface Client {
  language: string;
  file: string;
  command: string;
  args: string[];
}

const clients: Client[] = [
  { language: 'sh', file: 'client.sh', command: 'sh', args: ['client.sh'] },
  { language: 'js', file: 'client.mjs', command: process.execPath, args: ['client.mjs'] },
  { language: 'python', file: 'client.py', command: 'python3', args: ['client.py'] },
  { language: 'go', file: 'main.go', command: 'go', args: ['run', 'main.go'] },
];

const folder = mkdtempSync(join(tmpdir(), 'gavel-clients-'));
let gavel: Gavel;
beforeAll(async () => {
  gavel = await startGavel({ WORKERS: '1', DEMAND_FILE: '', TIMEOUT_MS: '5000', SOFT_TIMEOUT_MS: '5000' });
});
afterAll(async () => {
  await gavel.end();
  rmSync(folder, { recursive: true });
});

async function runClient({ language, file, command, args }: Client, baseUrl: string): Promise<string> {
  const [, code] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(document)!;
  writeFileSync(join(folder, file), code!);
  const env = { ...process.env, NODE_OPTIONS: '', GAVEL_URL: baseUrl };
  const { stdout, stderr } = await run(command, args, { cwd: folder, env });
  return stdout + stderr;
}

const isInstalled = (command: string): boolean =>
  spawnSync(command, ['--help'], { stdio: 'ignore' }).error === undefined;

describe.each(clients.map((client) => [client.language, client] as const))('the client in %s', (language, client) => {
  const title = 'gets a bid, and prints the error of another path with its request id';
  if (isInstalled(client.command)) {
    test(title, async () => {
      const { origin } = new URL(gavel.endpoint);
      const bid = language === 'sh' ? /^HTTP\/1.1 200 OK[^]*"seat":/ : /^bid \S+ \d/;
      expect(await runClient(client, origin)).toMatch(bid);
      expect(await runClient(client, `${origin}/nothing`)).toMatch(/404[^]*NOT_FOUND[^]*[\da-f]{8}-[\da-f]{4}-/);
    });
  } else test.skip(`NOT RUN, ${client.command} is not installed: ${title}`, () => {});
});
