/** The queue of an overloaded worker: fair among clients, last in, first out for each. */

/** How many requests of one client may wait, however many clients there are: it may send some of them at once. */
const minShare = 4;

/** Newest first: the oldest are about to be given up by their clients. In turns: a client that sends much delays no other. */
export class FairQueue<Request> {
  /** Arrived in the current turn. They wait for the next one: by then it is known whether their clients have left. */
  #arriving: { client: string; request: Request }[] = [];
  /** By client, the one whose turn is next first; of each, the oldest request first. */
  readonly #waiting = new Map<string, Request[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(client: string, request: Request): void {
    this.#arriving.push({ client, request });
    this.#length++;
  }

  /** Called after the requests of earlier turns were taken. */
  endTurn(): void {
    for (const { client, request } of this.#arriving) {
      const queue = this.#waiting.get(client);
      if (queue) queue.push(request);
      else this.#waiting.set(client, [request]);
    }
    this.#arriving = [];
  }

  /** Of the client whose turn it is. */
  takeNewest(): Request | undefined {
    for (const [client, queue] of this.#waiting) {
      this.#waiting.delete(client);
      const request = queue.pop()!;
      if (queue.length > 0) this.#waiting.set(client, queue);
      this.#length--;
      return request;
    }
    return undefined;
  }

  /** Takes the requests that are expired or exceed their client's share of `limit`, oldest first, for as long as they are asked for. */
  *takeExcess(limit: number, isExpired: (request: Request) => boolean): Generator<Request> {
    const share = Math.max(minShare, Math.floor(limit / this.#waiting.size));
    for (const [client, queue] of this.#waiting) {
      while (queue.length > 0 && (queue.length > share || isExpired(queue[0]!))) {
        const request = queue.shift()!;
        if (queue.length === 0) this.#waiting.delete(client);
        this.#length--;
        yield request;
      }
    }
  }
}
