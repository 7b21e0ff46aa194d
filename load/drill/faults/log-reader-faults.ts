/** The process that reads standard output hangs or exits. */
import { UnreadPipe } from '../../../tests/support/unread-pipe.ts';
import type { Fault } from '../fault.ts';
import { floodLog, linesDropped, logsAll, withLongNames } from '../log-flood.ts';

/** The pipe is full. */
export const logUnread: Fault = {
  name: 'log-unread',
  title: 'standard output not read for 8 s',
  maxRecoveryMs: 3_000,
  run: stopReading({ exits: false }),
};

/** Writing fails with EPIPE. */
export const logReaderGone: Fault = {
  name: 'log-reader-gone',
  title: 'the reader of standard output gone (EPIPE), back after 8 s',
  maxRecoveryMs: 3_000,
  run: stopReading({ exits: true }),
};

function stopReading({ exits }: { exits: boolean }): Fault['run'] {
  return async (drill) => {
    const pipe = new UnreadPipe();
    drill.onEnd(() => pipe.delete());
    const exchange = await drill.startExchange({ output: pipe, variables: logsAll });
    const client = await drill.startLoad({ requests: drill.requests().map(withLongNames) });
    drill.faultBegins();
    exchange.log.stop();
    if (exits) pipe.close();
    await floodLog(client);
    if (exits) pipe.open();
    exchange.log.readPipe(pipe);
    drill.faultEnds();
    return drill.observe(linesDropped);
  };
}
