/** The network time to one partner: the fastest of its recent TCP handshakes, which take one round trip each. */

/** A single handshake may have waited for a busy machine; the fastest of several has not. */
const recentHandshakes = 10;

export class NetworkTime {
  readonly #recent: number[] = [];

  connected(handshakeMs: number): void {
    if (this.#recent.length === recentHandshakes) this.#recent.shift();
    this.#recent.push(handshakeMs);
  }

  /** 0 if it is not known yet. */
  get roundTripMs(): number {
    return this.#recent.length === 0 ? 0 : Math.min(...this.#recent);
  }
}
