/** The process that reads standard output exits: writing fails with EPIPE. */
import { UnreadPipe } from '../../../tests/support/unread-pipe.ts';
import type { Fault } from '../fault.ts';
import { floodLog, linesDropped, logsAll, withLongNames } from '../log-flood.ts';

export const logReaderGone: Fault = {
  name: 'log-reader-gone',
  title: 'the reader of standard output gone (EPIPE), back after 8 s',
  maxRecoveryMs: 3_000,
  async run(drill) {
    const pipe = new UnreadPipe();
    drill.onEnd(() => pipe.delete());
    const exchange = await drill.startExchange({ output: pipe, variables: logsAll });
    const client = await drill.startLoad({ requests: drill.requests().map(withLongNames) });
    drill.faultBegins();
    exchange.log.stop();
    pipe.close();
    await floodLog(client);
    pipe.open();
    exchange.log.readPipe(pipe);
    drill.faultEnds();
    return drill.observe(linesDropped);
  },
};
