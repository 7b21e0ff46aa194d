/** The admin server with a console whose workers are scripted. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuctionSample, ErrorCount, LiveSample } from '../../../src/contract/console-api.ts';
import { createAdminServer } from '../../../src/fleet/admin-server.ts';
import { readAssets } from '../../../src/fleet/console/assets.ts';
import { ConsoleAccess } from '../../../src/fleet/console/console-access.ts';
import { createConsoleApi } from '../../../src/fleet/console/console-api.ts';
import { createConsoleRouter } from '../../../src/fleet/console/console-router.ts';
import { LiveFeed } from '../../../src/fleet/console/live-feed.ts';

export interface ConsoleOptions {
  host?: string;
  token?: string;
  isBuilt?: boolean;
  endpoint?: string;
  auctions?: AuctionSample[][];
  missingWorkers?: number;
  errors?: ErrorCount[][];
  /** The size of a sample. */
  padding?: number;
}

export interface TestConsole {
  server: Server;
  url: string;
  feed: LiveFeed;
  /** Moves the clock of sessions and login limits. */
  advance(ms: number): void;
  close(): void;
}

export const files = {
  'index.html': '<!doctype html><title>Gavel</title>',
  'app.js': `console.log(${'1'.repeat(2_000)})`,
  'chunks/a.css': 'a{}',
  'icon.png': 'png',
};

export async function startConsole(options: ConsoleOptions = {}): Promise<TestConsole> {
  let nowMs = 0;
  const access = new ConsoleAccess({ host: options.host ?? '127.0.0.1', token: options.token, nowMs: () => nowMs });
  const feed = new LiveFeed({
    takeSample: async () => ({ timeMs: 1, padding: 'x'.repeat(options.padding ?? 0) }) as unknown as LiveSample,
    onDefect: (defect) => {
      throw defect;
    },
  });
  const api = createConsoleApi({
    access,
    feed,
    auctions: async () => ({ samples: options.auctions ?? [], missingWorkers: options.missingWorkers ?? 0 }),
    errors: async () => options.errors ?? [],
    examples: [{ name: 'one', title: 'One', body: '{}' }],
    endpoint: () => options.endpoint ?? 'http://127.0.0.1:1/openrtb2',
    version: '1.2.3',
  });
  const assets = options.isBuilt === false ? undefined : readFiles();
  const routes = { '/healthz': () => ({ status: 200, body: { ok: true } }) };
  const server = createAdminServer(routes, undefined, createConsoleRouter({ access, api, assets }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    feed,
    advance: (ms) => (nowMs += ms),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function readFiles(): ReturnType<typeof readAssets> {
  const folder = mkdtempSync(join(tmpdir(), 'gavel-console-'));
  try {
    mkdirSync(join(folder, 'chunks'));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return readAssets(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
