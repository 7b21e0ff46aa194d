/** Who sends the requests of the benchmarks. */
export const crowd = { addresses: 2_000, publishers: 50 };

export const addressAt = (i: number): string => `10.0.${Math.floor(i / 250) % 8}.${i % 250}`;
export const publisherAt = (i: number): number => i % crowd.publishers;
export const publisherId = (publisher: number): string => `pub-${String(publisher).padStart(2, '0')}`;
