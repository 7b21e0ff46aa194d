/** Demand for local runs, tests and load tests: two OpenRTB partners and a product service, in one process. */
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endServer } from './end-server.ts';
import { writePartnersLine } from './partners-line.ts';
import { createSandboxServer } from './server.ts';
import { readSettings, type Settings } from './settings.ts';

/** EX_CONFIG of sysexits.h. */
const exitBadConfiguration = 78;

function configure(): Settings {
  const settings = readSettings(process.env);
  if (!('problems' in settings)) return settings;
  const { problems } = settings;
  const list = problems.map((problem) => `  - ${problem}\n`).join('');
  process.stderr.write(`sandbox: the settings have ${problems.length} problem(s)\n${list}`);
  process.exit(exitBadConfiguration);
}

async function listen(server: Server, { port, host, url }: Settings): Promise<string> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    process.stderr.write(`sandbox: ${(error as Error).message}\n`);
    process.exit(1);
  }
  return url ?? `http://${reachable(host)}:${(server.address() as AddressInfo).port}`;
}

/** An address that listens everywhere is reached at the loopback; IPv6 goes in brackets. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

const settings = configure();
const held = new Set<ServerResponse>();
const server = createSandboxServer(settings, held);
const end = () => endServer(server, held, settings, () => process.exit(0));
process.once('SIGTERM', end).once('SIGINT', end);
if (settings.endsWithParent) process.stdin.once('close', end).resume();

const url = await listen(server, settings);
process.stdout.write(`${writePartnersLine(url)}\n`);
