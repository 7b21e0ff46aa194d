/** The disk of the log file is full. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from '../fault.ts';
import { floodLog, linesDropped, logsAll, withLongNames } from '../log-flood.ts';
import { canMount, SmallDisk } from '../small-disk.ts';

export const logDiskFull: Fault = {
  name: 'log-disk-full',
  title: 'standard output is a file on a full disk (ENOSPC), space after 8 s',
  maxRecoveryMs: 3_000,
  unavailable: () => (canMount ? undefined : 'mounting a small disk needs root'),
  async run(drill) {
    const disk = new SmallDisk(drill.folder);
    drill.onEnd(() => disk.unmount());
    const file = join(disk.folder, 'gavel.log');
    writeFileSync(file, '');
    await drill.startExchange({ output: file, variables: logsAll });
    const client = await drill.startLoad({ requests: drill.requests().map(withLongNames) });
    drill.faultBegins();
    disk.fill();
    await floodLog(client);
    disk.free();
    drill.faultEnds();
    return drill.observe(linesDropped);
  },
};
