/** A Lua script beside the code, run by its digest; sent whole where Redis does not know it (yet, or any more). */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { within } from './within.ts';

/** The longest a request is held up by Redis: far above a round trip, far below what callers wait. */
export const commandTimeoutMs = 400;

export class Script {
  readonly #text: string;
  readonly #digest: string;

  /** `name` is the file beside this one. The digest is reckoned here: SCRIPT LOAD would be one more thing to fail. */
  constructor(name: string) {
    this.#text = readFileSync(new URL(name, import.meta.url), 'utf8');
    this.#digest = createHash('sha1').update(this.#text).digest('hex');
  }

  /** Rejects after the command timeout; whether the script ran is then unknown. */
  run(redis: Redis, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    return within(commandTimeoutMs, this.#run(redis, keys, values));
  }

  async #run(redis: Redis, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    try {
      return await redis.evalsha(this.#digest, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis.eval(this.#text, keys.length, ...keys, ...values);
    }
  }
}
