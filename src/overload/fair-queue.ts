/** The requests that wait at their headers: fair among clients. */

/** How many requests of one client may wait, however many clients there are: it may send some of them at once. */
const minShare = 4;

/** Clients take turns: one that sends much delays no other. */
export class FairQueue<Request> {
  /** Arrived in the current turn. They wait for the next one: by then it is known whether their clients have left. */
  #arriving: { client: string; request: Request }[] = [];
  /** By client, the one whose turn is next first; of each, the oldest request first. */
  readonly #waiting = new Map<string, Request[]>();
  /** By client, arriving ones included. */
  readonly #counts = new Map<string, number>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Whether the client has less than its share of `limit`. */
  hasRoom(client: string, limit: number): boolean {
    return (this.#counts.get(client) ?? 0) < this.#share(limit);
  }

  add(client: string, request: Request): void {
    this.#arriving.push({ client, request });
    this.#count(client, 1);
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

  /** Of the client whose turn it is, its newest or its oldest request. */
  take(which: 'newest' | 'oldest'): Request | undefined {
    for (const [client, queue] of this.#waiting) {
      this.#waiting.delete(client);
      const request = which === 'newest' ? queue.pop()! : queue.shift()!;
      if (queue.length > 0) this.#waiting.set(client, queue);
      this.#count(client, -1);
      return request;
    }
    return undefined;
  }

  /** Takes the requests that are expired or exceed their client's share of `limit`, oldest first, for as long as they are asked for. */
  *takeExcess(limit: number, isExpired: (request: Request) => boolean): Generator<Request> {
    const share = this.#share(limit);
    for (const [client, queue] of this.#waiting) {
      while (queue.length > 0 && (queue.length > share || isExpired(queue[0]!))) {
        const request = queue.shift()!;
        if (queue.length === 0) this.#waiting.delete(client);
        this.#count(client, -1);
        yield request;
      }
    }
  }

  #share(limit: number): number {
    return Math.max(minShare, Math.floor(limit / Math.max(this.#counts.size, 1)));
  }

  #count(client: string, change: number): void {
    const count = (this.#counts.get(client) ?? 0) + change;
    if (count === 0) this.#counts.delete(client);
    else this.#counts.set(client, count);
    this.#length += change;
  }
}
