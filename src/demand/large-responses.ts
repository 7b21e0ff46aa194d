/** Which clients' calls have large responses: while those wait in vain for their turn, such calls are not made. */
import { LRUCache } from 'lru-cache';

/** The weight of the latest response in the mean. */
const latestWeight = 1 / 4;
/** From this share of large responses on, the next one is expected to be large. */
const expectedShare = 1 / 4;
/** A client below this share is forgotten. */
const forgottenShare = 1 / 64;
/** Per partner and worker. */
const maxClients = 1_000;

/** Of one partner. */
export class LargeResponses {
  /** The share of large responses among a client's latest. Clients that have none are absent. */
  readonly #shares = new LRUCache<string, number>({ max: maxClients });

  isExpected(client: string | undefined): boolean {
    return client !== undefined && this.#shareOf(client) > expectedShare;
  }

  received(client: string | undefined, isLarge: boolean): void {
    if (client === undefined) return;
    const before = this.#shareOf(client);
    if (before === 0 && !isLarge) return;
    const share = before + ((isLarge ? 1 : 0) - before) * latestWeight;
    if (share < forgottenShare) this.#shares.delete(client);
    else this.#shares.set(client, share);
  }

  /** Most partners send no large response: then nothing is looked up. */
  #shareOf(client: string): number {
    return this.#shares.size === 0 ? 0 : (this.#shares.get(client) ?? 0);
  }
}
