/** Pieces of work that wait, by owner. Owners take turns: one that has much to do delays nobody who has little. */

export interface Waiting {
  start: (isTurn: boolean) => void;
  sinceMs: number;
}

/** What waits in a rotation under the name of an owner: a queue, or a rotation of parts of it. */
interface Pieces {
  readonly isEmpty: boolean;
  /** Removes and returns the piece whose turn it is. */
  next(): Waiting | undefined;
  /** Rejects what has waited since before this time. */
  expire(earliestMs: number): void;
}

/** The newest is next: the oldest are about to expire. */
export class PieceQueue implements Pieces {
  readonly #waiting: Waiting[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Since when its oldest piece waits. */
  get sinceMs(): number {
    return this.#waiting[0]?.sinceMs ?? Infinity;
  }

  push(waiting: Waiting): void {
    this.#waiting.push(waiting);
  }

  next(): Waiting | undefined {
    return this.#waiting.pop();
  }

  expire(earliestMs: number): void {
    while (this.sinceMs < earliestMs) this.#waiting.shift()!.start(false);
  }
}

export class Rotation<Part extends Pieces> implements Pieces {
  readonly #create: () => Part;
  /** Next owner first. Newcomers have had no turn since their work arrived; they come before owners that have had one. */
  readonly #newcomers = new Map<string, Part>();
  readonly #served = new Map<string, Part>();

  constructor(create: () => Part) {
    this.#create = create;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** The number of owners that have work. */
  get size(): number {
    return this.newcomers + this.#served.size;
  }

  get newcomers(): number {
    return this.#newcomers.size;
  }

  /** What waits of an owner; undefined if nothing does. */
  find(owner: string): Part | undefined {
    return this.#served.get(owner) ?? this.#newcomers.get(owner);
  }

  /** For a piece that is about to be added. */
  partOf(owner: string): Part {
    let part = this.find(owner);
    if (!part) this.#newcomers.set(owner, (part = this.#create()));
    return part;
  }

  next(): Waiting | undefined {
    for (const owners of [this.#newcomers, this.#served]) {
      for (const [owner, part] of owners) {
        owners.delete(owner);
        const next = part.next();
        if (!part.isEmpty) this.#served.set(owner, part);
        if (next) return next;
      }
    }
    return undefined;
  }

  expire(earliestMs: number): void {
    for (const owners of [this.#newcomers, this.#served]) {
      for (const [owner, part] of owners) {
        part.expire(earliestMs);
        if (part.isEmpty) owners.delete(owner);
      }
    }
  }
}
