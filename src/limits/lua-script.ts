/** A Lua script of this folder, run by its digest. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RedisReply, RedisStore } from 'rate-limit-redis';
import { withTimeout } from './clocks.ts';
import { commandTimeoutMs } from './redis-connection.ts';

export class LuaScript {
  readonly #source: string;
  /** Computed here: rate-limit-redis takes it from the reply to SCRIPT LOAD, and keeps a failed reply for ever. */
  readonly #digest: string;

  constructor(fileName: string) {
    this.#source = readFileSync(new URL(fileName, import.meta.url), 'utf8');
    this.#digest = createHash('sha1').update(this.#source).digest('hex');
  }

  /** `keys` carry the prefix. Rejects after the timeout; the script may have run then. */
  run(
    store: RedisStore,
    keys: readonly string[],
    args: readonly string[],
    timeoutMs = commandTimeoutMs,
  ): Promise<RedisReply> {
    return withTimeout(timeoutMs, this.#run(store, keys, args));
  }

  /**
   * A server that does not know the script has executed nothing, so it is sent the source. Not by SCRIPT LOAD: that names no
   * key, and a cluster client would send it to any node.
   */
  async #run(store: RedisStore, keys: readonly string[], args: readonly string[]): Promise<RedisReply> {
    const operands = [String(keys.length), ...keys, ...args];
    const send = (command: string[]) => store.sendCommand({ key: keys[0]!, isReadOnly: false, command });
    try {
      return await send(['EVALSHA', this.#digest, ...operands]);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return send(['EVAL', this.#source, ...operands]);
    }
  }
}
