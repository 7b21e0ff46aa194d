/** Sheds load: lets so many bid requests be under way at once, and no more. */
import type { ServerResponse } from 'node:http';

export class LoadGate {
  readonly #most: number;
  #inFlight = 0;
  readonly #leave = (): void => {
    this.#inFlight--;
  };

  constructor(most: number) {
    this.#most = most;
  }

  /** True where there is room; the room is given back when the response closes, however that comes about. */
  enter(response: ServerResponse): boolean {
    if (this.#inFlight >= this.#most) return false;
    this.#inFlight++;
    response.once('close', this.#leave);
    return true;
  }
}
