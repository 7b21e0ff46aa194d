/** Creates the auction log of a worker, in a file or in a Redis Stream. */
import type { Config } from './config/config.ts';
import { redisCause } from './limits/redis-cause.ts';
import { commandTimeoutMs, connectToRedis } from './limits/redis-connection.ts';
import { AuctionLog, type AuctionLogParts } from './observe/auction-log.ts';
import { AuctionLogFile } from './observe/auction-log-file.ts';
import { AuctionLogStream } from './observe/auction-log-stream.ts';
import type { CappedLog } from './observe/capped-log.ts';
import { reportDroppedEntries } from './observe/dropped-entries.ts';
import type { Logger } from './observe/logger.ts';
import type { Recorder } from './observe/recorder.ts';

export function createAuctionLog(
  { auctionLog }: Config,
  recorder: Recorder,
  logger: Logger,
  capped: CappedLog,
  { nowMs, schedule }: Pick<AuctionLogParts, 'nowMs' | 'schedule'>,
): AuctionLog | undefined {
  if (auctionLog === undefined) return undefined;
  const sink =
    'redis' in auctionLog
      ? new AuctionLogStream(
          connectToRedis(auctionLog.redis, (error) =>
            capped.warn(
              'auction log connection',
              { cause: redisCause(error) },
              'cannot connect to the Redis of the auction log',
            ),
          ),
          commandTimeoutMs,
        )
      : new AuctionLogFile(auctionLog.file);
  return new AuctionLog({ sink, ...reportDroppedEntries(recorder, logger, schedule), nowMs, schedule });
}
