/** Joins the parts in which a worker sends its auction samples. */
import type { AuctionSample } from '../../contract/console-api.ts';

export class AuctionParts {
  /** By worker, of replies whose last part has not arrived. */
  readonly #received = new Map<number, AuctionSample[]>();

  /** All samples of the reply with its last part; undefined if more follow. */
  add(worker: number, samples: readonly AuctionSample[], partsLeft: number): AuctionSample[] | undefined {
    const received = [...(this.#received.get(worker) ?? []), ...samples];
    if (partsLeft === 0) {
      this.#received.delete(worker);
      return received;
    }
    this.#received.set(worker, received);
    return undefined;
  }

  /** The worker has exited. */
  forget(worker: number): void {
    this.#received.delete(worker);
  }
}
