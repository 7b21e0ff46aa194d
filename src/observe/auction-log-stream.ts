/** The auction log in a capped Redis Stream. */
import type { AuctionLogSink, Unavailable } from './auction-log.ts';

/** What the log needs of a Redis client that neither queues commands while disconnected nor sends them twice. */
export interface StreamClient {
  readonly status: string;
  pipeline(commands: string[][]): { exec(): Promise<[Error | null, unknown][] | null> };
  disconnect(reconnect: boolean): void;
}

const streamKey = 'gavel:auctions';
/** Redis removes the oldest entries beyond about this number. */
const maxStreamLength = '1000000';

export class AuctionLogStream implements AuctionLogSink {
  readonly #redis: StreamClient;
  readonly #timeoutMs: number;

  constructor(redis: StreamClient, timeoutMs: number) {
    this.#redis = redis;
    this.#timeoutMs = timeoutMs;
  }

  async write(lines: readonly string[]): Promise<number | Unavailable> {
    if (this.#redis.status !== 'ready') return { reason: 'not connected to Redis' };
    const replies = await this.#send(lines.map((line) => toCommand(line.trimEnd())));
    // Commands without a reply may have been executed: sending them again could write a line twice.
    if (!replies) return 0;
    const errors = replies.flatMap(([error]) => error ?? []);
    const isRejected = errors.length === lines.length && errors.every(({ name }) => name === 'ReplyError');
    return isRejected ? { reason: errors[0]!.message } : lines.length - errors.length;
  }

  /** A stream is not rotated. */
  reopen(): void {}

  /** Undefined after the timeout. */
  async #send(commands: string[][]): Promise<[Error | null, unknown][] | null | undefined> {
    const timeout = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => {
      this.#redis.disconnect(true); // or else the commands would pile up in the client
      timeout.resolve(undefined);
    }, this.#timeoutMs);
    try {
      return await Promise.race([this.#redis.pipeline(commands).exec(), timeout.promise]);
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

const toCommand = (line: string): string[] => ['xadd', streamKey, 'MAXLEN', '~', maxStreamLength, '*', 'auction', line];
