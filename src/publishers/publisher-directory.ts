/** The publishers file compiled for lookups per request. */
import { LRUCache } from 'lru-cache';
import type { LimitOverrides } from '../limits/rate-limiter.ts';
import { type AddressBits, AddressRanges, parseAddress } from './address-ranges.ts';
import { Publisher } from './publisher.ts';
import type { PublishersSettings } from './publishers-settings.ts';

/** What the file says of a client address. */
export interface ClientAddress {
  /** Undefined if the text is not an address: a closed socket has none. */
  bits: AddressBits | undefined;
  /** Tokens per second of the address bucket; undefined for the default. */
  limit: LimitOverrides['ip'];
}

const maxCachedAddresses = 10_000;
/** No address is longer, except by the zone of a link-local one. */
const maxCachedLength = 64;

export class PublisherDirectory {
  readonly reservedShare: number;
  readonly #publishers: ReadonlyMap<string, Publisher>;
  readonly #addresses: AddressRanges<number | 'exempt'>;
  readonly #clients = new LRUCache<string, ClientAddress>({ max: maxCachedAddresses });

  constructor({ reservedShare, publishers, addresses }: PublishersSettings) {
    this.reservedShare = reservedShare;
    this.#publishers = new Map(publishers.map((settings) => [settings.id, new Publisher(settings)]));
    this.#addresses = new AddressRanges(
      addresses.map((entry) => [entry.range, 'limit' in entry ? entry.limit : 'exempt']),
    );
  }

  find(id: string): Publisher | undefined {
    return this.#publishers.get(id);
  }

  client(address: string): ClientAddress {
    const cached = this.#clients.get(address);
    if (cached !== undefined) return cached;
    const bits = parseAddress(address);
    const client = { bits, limit: bits && this.#addresses.find(bits) };
    if (address.length <= maxCachedLength) this.#clients.set(address, client);
    return client;
  }
}

const directories = new WeakMap<PublishersSettings, PublisherDirectory>();

/** One directory per file, however often it is needed; undefined without a file. */
export function directoryOf(settings: PublishersSettings | undefined): PublisherDirectory | undefined {
  if (!settings) return undefined;
  let directory = directories.get(settings);
  if (!directory) directories.set(settings, (directory = new PublisherDirectory(settings)));
  return directory;
}
