/** The name of a partner is not resolved, beside partners with other names. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNameServer } from '../../../tests/support/name-server.ts';
import { sumOf } from '../../bench/machine/counters.ts';
import type { Fault } from '../fault.ts';
import { DrillPartner } from '../partner.ts';
import { breakerClosed, breakerLine, breakerOpens } from '../signs.ts';

/** As many slow names as libuv has threads. */
const slowNames = ['slow-1', 'slow-2', 'slow-3', 'slow-4'];
const host = (name: string): string => `${name}.drill.example`;
const callsOfHealthy = /^exchange_partner_duration_seconds_count\{partner="healthy"/;
const bidsOfHealthy = /^exchange_partner_duration_seconds_count\{partner="healthy",result="bid"/;
const minInTime = 0.95;

export const slowDns: Fault = {
  name: 'slow-dns',
  title: `the name server does not respond for ${slowNames.length} partners until 6 s after the start; another partner bids`,
  maxRecoveryMs: 8_000,
  unavailable: () => (canReplaceResolver() ? undefined : 'replacing resolv.conf needs a mount namespace (unshare)'),
  async run(drill) {
    const { promise: resolved, resolve } = Promise.withResolvers<void>();
    const slow = await Promise.all(slowNames.map((name) => DrillPartner.start(name)));
    const healthy = await DrillPartner.start('healthy');
    for (const partner of [...slow, healthy]) drill.onEnd(() => partner.stop());
    const names = await startNameServer({
      [host('healthy')]: { a: ['127.0.0.1'], ttl: 1 },
      ...Object.fromEntries(slowNames.map((name) => [host(name), { a: ['127.0.0.1'], when: resolved }])),
    });
    drill.onEnd(() => void names.close());
    const resolver = join(drill.folder, 'resolv.conf');
    writeFileSync(resolver, `nameserver ${names.nameServers.getServers()[0]}\n`);
    drill.faultBegins();
    await drill.startExchange({
      partners: [...slow, healthy].map((partner) => partner.at(host(partner.name))),
      wrapper: withResolver(resolver),
    });
    await drill.startLoad();
    await sleep(4_500);
    const inTime = sumOf(drill.metrics, bidsOfHealthy) / sumOf(drill.metrics, callsOfHealthy);
    drill.expect(
      `the healthy partner bid in time in ${Math.round(100 * inTime)}% of the auctions, goal ${100 * minInTime}%`,
      inTime >= minInTime,
    );
    resolve();
    drill.faultEnds();
    return drill.observe({
      metric: breakerOpens('slow-1'),
      logLine: breakerLine('slow-1'),
      isNormal: (values) => slowNames.every((name) => breakerClosed(name)(values)),
    });
  },
};

/** Runs a command that sees another resolv.conf; only a namespace of its own can give it one. */
const withResolver = (file: string): string[] => [
  'unshare',
  '--mount',
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  'sh',
  '-c',
  'mount --bind "$0" /etc/resolv.conf && exec "$@"',
  file,
];

function canReplaceResolver(): boolean {
  try {
    const [command, ...args] = [...withResolver('/etc/resolv.conf'), 'true'];
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
