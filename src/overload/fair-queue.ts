/** The requests that wait at their headers: fair among clients. */
import { lightMs } from './client-usage.ts';

/** How many requests of one client may wait, whatever the limit: it may send some of them at once. */
const minShare = 4;
/** Of one that uses little: about what it sends while the worker is held up for 100 ms. */
const lightShare = 16;
/** With more clients than this, all of them together keep to the limit. */
const fewClients = 64;
/** Among so many clients, those that have waited longest for their turn, one that has used least is chosen. */
const maxCompared = 64;
/** Who has used less than this is in the lowest band. */
const lowestBandMs = 16;

/**
 * Clients that have used about the same, within a factor of two, are in one band, and take turns. Usage is known only later, and not exactly: by
 * less of a difference, one client would have all of its waiting requests served before the first of another.
 */
const bandOf = (usedMs: number): number => Math.max(0, Math.floor(Math.log2(usedMs / lowestBandMs)) + 1);

/** Clients in this band and below have used little, even if one has used much more than another: many addresses differ by chance. */
const smallBand = 1;

interface Client<Request> {
  name: string;
  /** What it had used when its first request arrived, then when it was queued, in milliseconds. */
  usedMs: number;
  /** Of that usage: set when it is queued. */
  band: number;
  /** The oldest first. */
  waiting: Request[];
  /** Number of its requests, including those that arrived in this turn. */
  count: number;
}

/** Clients take turns, those that have used much less before others: one that sends much delays no other. */
export class FairQueue<Request> {
  readonly #usedMs: (client: string) => number;
  /** Arrived in the current turn. They wait for the next one: by then it is known whether their clients have left. */
  #arriving: { client: Client<Request>; request: Request }[] = [];
  readonly #clients = new Map<string, Client<Request>>();
  /** Those that have a request waiting. */
  readonly #queue = new Set<Client<Request>>();
  #length = 0;

  /** `usedMs` returns what a client has used so far. */
  constructor(usedMs: (client: string) => number) {
    this.#usedMs = usedMs;
  }

  get length(): number {
    return this.#length;
  }

  /** Whether requests of other clients wait. */
  hasOthers(client: string): boolean {
    return this.#clients.size > (this.#clients.has(client) ? 1 : 0);
  }

  /** Whether the client is light, and a waiting client has used much more. */
  isBeforeOthers(name: string): boolean {
    const usedMs = this.#usedMs(name);
    if (!this.#isLight(usedMs)) return false;
    const band = Math.max(bandOf(usedMs), smallBand);
    for (const other of this.#clients.values()) if (bandOf(other.usedMs) > band) return true;
    return false;
  }

  /** Whether the client has less than its share of `limit`. */
  hasRoom(client: string, limit: number): boolean {
    if (this.#clients.size >= fewClients && this.#length >= limit) return false;
    const { count = 0, usedMs = 0 } = this.#clients.get(client) ?? {};
    return count < this.#share(limit, usedMs);
  }

  add(name: string, request: Request): void {
    let client = this.#clients.get(name);
    if (!client)
      this.#clients.set(name, (client = { name, usedMs: this.#usedMs(name), band: 0, waiting: [], count: 0 }));
    client.count++;
    this.#length++;
    this.#arriving.push({ client, request });
  }

  /** Called after the requests of earlier turns were taken. */
  endTurn(): void {
    for (const { client, request } of this.#arriving) this.#wait(client, request);
    this.#arriving = [];
  }

  /** Called before `endTurn`: requests of clients that have used less than `maxMs` may be taken in the turn in which they arrived. */
  promote(maxMs: number): void {
    const isHeavy = ({ name }: Client<Request>) => this.#usedMs(name) >= maxMs;
    const { light = [], heavy = [] } = Object.groupBy(this.#arriving, ({ client }) =>
      isHeavy(client) ? 'heavy' : 'light',
    );
    for (const { client, request } of light) this.#wait(client, request);
    this.#arriving = heavy;
  }

  /** Takes the newest or the oldest request of the client whose turn it is. */
  take(which: 'newest' | 'oldest'): Request | undefined {
    const client = this.#next();
    if (!client) return undefined;
    this.#queue.delete(client);
    const request = which === 'newest' ? client.waiting.pop()! : client.waiting.shift()!;
    if (client.waiting.length > 0) this.#enqueue(client);
    this.#remove(client);
    return request;
  }

  /** Takes the requests that are expired or exceed their client's share of `limit`, oldest first, until the caller stops. */
  *takeExcess(limit: number, isExpired: (request: Request, isLight: boolean) => boolean): Generator<Request> {
    for (const client of this.#queue) {
      const { waiting, usedMs } = client;
      const share = this.#share(limit, usedMs);
      const isLight = this.#isLight(usedMs);
      while (waiting.length > 0 && (waiting.length > share || isExpired(waiting[0]!, isLight))) {
        const request = waiting.shift()!;
        if (waiting.length === 0) this.#queue.delete(client);
        this.#remove(client);
        yield request;
      }
    }
  }

  #share(limit: number, usedMs: number): number {
    const min = this.#isLight(usedMs) ? lightShare : minShare;
    return Math.max(min, Math.floor(limit / Math.max(this.#clients.size, 1)));
  }

  /** Among many clients none has an advantage: addresses are easy to get. */
  #isLight(usedMs: number): boolean {
    return usedMs < lightMs && this.#clients.size < fewClients;
  }

  #next(): Client<Request> | undefined {
    let next: Client<Request> | undefined;
    let compared = 0;
    for (const client of this.#queue) {
      if (!next || client.band < next.band) next = client;
      if (++compared === maxCompared) break;
    }
    return next;
  }

  #wait(client: Client<Request>, request: Request): void {
    if (client.waiting.push(request) === 1) this.#enqueue(client);
  }

  #enqueue(client: Client<Request>): void {
    client.usedMs = this.#usedMs(client.name);
    client.band = bandOf(client.usedMs);
    this.#queue.add(client);
  }

  /** One request of the client has been taken. */
  #remove(client: Client<Request>): void {
    client.count--;
    this.#length--;
    if (client.count === 0) this.#clients.delete(client.name);
  }
}
