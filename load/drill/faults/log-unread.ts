/** The process that reads standard output hangs: the pipe is full. */
import { UnreadPipe } from '../../../tests/support/unread-pipe.ts';
import type { Fault } from '../fault.ts';
import { floodLog, linesDropped, logsAll, withLongNames } from '../log-flood.ts';

export const logUnread: Fault = {
  name: 'log-unread',
  title: 'standard output not read for 8 s',
  maxRecoveryMs: 3_000,
  async run(drill) {
    const pipe = new UnreadPipe();
    drill.onEnd(() => pipe.delete());
    const exchange = await drill.startExchange({ output: pipe, variables: logsAll });
    const client = await drill.startLoad({ requests: drill.requests().map(withLongNames) });
    drill.faultBegins();
    exchange.log.stop();
    await floodLog(client);
    exchange.log.readPipe(pipe);
    drill.faultEnds();
    return drill.observe(linesDropped);
  },
};
