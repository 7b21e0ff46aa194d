/** The content of the publishers file, as the primary sends it to the workers. Every list is validated and not empty. */

export interface PublishersSettings {
  /** The share of the global limit that only the publishers of the file may use, from 0 to less than 1. */
  reservedShare: number;
  publishers: readonly PublisherSettings[];
  addresses: readonly AddressSettings[];
}

export interface PublisherSettings {
  id: string;
  /** Tokens, and tokens per second; absent for the default. */
  limit?: number;
  /** With `apiKeys` or `addresses`, the id is accepted only with one of the keys or from one of the ranges. */
  apiKeys?: readonly string[];
  addresses?: readonly string[];
  /** CPM in `floorCurrency`, which is USD if absent. */
  floor?: number;
  floorCurrency?: string;
  partners?: { allowed?: readonly string[]; blocked?: readonly string[] };
}

/** The address scope for the clients of a range: a limit of its own for each client, or none. */
export type AddressSettings = { range: string } & ({ limit: number } | { exempt: true });
