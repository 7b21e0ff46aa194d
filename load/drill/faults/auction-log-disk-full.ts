/** The disk of the auction log is full. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../tests/support/until.ts';
import type { Fault } from '../fault.ts';
import { allWorkersReady, hasGrown } from '../signs.ts';
import { canMount, SmallDisk } from '../small-disk.ts';

export const auctionLogDiskFull: Fault = {
  name: 'auction-log-disk-full',
  title: 'the auction log on a full disk (ENOSPC), space after 8 s',
  maxRecoveryMs: 3_000,
  unavailable: () => (canMount ? undefined : 'mounting a small disk needs root'),
  async run(drill) {
    const disk = new SmallDisk(drill.folder);
    drill.onEnd(() => disk.unmount());
    const file = join(disk.folder, 'auctions.log');
    await drill.startExchange({ variables: { AUCTION_LOG: file } });
    await drill.startLoad();
    drill.faultBegins();
    disk.fill();
    await sleep(8_000);
    const { size } = statSync(file);
    disk.free();
    drill.faultEnds();
    await until('entries are written again', () => statSync(file).size > size);
    const recoveryMs = performance.now() - drill.times.endedAtMs;
    const outcome = await drill.observe({
      metric: { series: 'exchange_auction_log_dropped_total', shows: hasGrown },
      logLine: { msg: 'auction log entries dropped' },
      isNormal: allWorkersReady,
    });
    return { ...outcome, recoveryMs: Math.max(outcome.recoveryMs, recoveryMs) };
  },
};
