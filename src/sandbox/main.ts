/** Sandbox demand for local runs and tests: four OpenRTB partners and a product search service in one process. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { urlOf } from '../format/url-of.ts';
import { buildPartnersFile } from './partners-file.ts';
import { SandboxServer } from './server.ts';
import { readSettings, type Settings } from './settings.ts';

/** EX_CONFIG of sysexits.h. */
const exitInvalidConfig = 78;

function readSettingsOrExit(): Settings {
  const settings = readSettings(process.env);
  if (!('problems' in settings)) return settings;
  const { problems } = settings;
  const list = problems.map((problem) => `  - ${problem}\n`).join('');
  process.stderr.write(`sandbox: invalid configuration: ${problems.length} problem(s)\n${list}`);
  process.exit(exitInvalidConfig);
}

async function listen(server: Server, { port, host, url }: Settings): Promise<string> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    process.stderr.write(`sandbox: ${(error as Error).message}\n`);
    process.exit(1);
  }
  return url ?? urlOf(host, (server.address() as AddressInfo).port);
}

const settings = readSettingsOrExit();
const server = new SandboxServer(settings);
const stop = () => server.stop(() => process.exit(0));
process.once('SIGTERM', stop).once('SIGINT', stop);
if (settings.exitsWithParent) process.stdin.once('close', stop).resume();

const url = await listen(server.http, settings);
process.stdout.write(`${buildPartnersFile(url)}\n`);
