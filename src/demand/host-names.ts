/** Resolves the host names of partners: cached with their TTL, off the shared threads of libuv, so that a slow name delays no other. */
import { lookup as systemLookup, type LookupAddress, type LookupOptions, promises as dns } from 'node:dns';
import { readFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';

/** What resolves a name: `Resolver` of node:dns, in tests one with servers of their own. */
export interface NameServers {
  resolve4(name: string, options: { ttl: true }): Promise<{ address: string; ttl: number }[]>;
  resolve6(name: string, options: { ttl: true }): Promise<{ address: string; ttl: number }[]>;
}

export interface HostNameOptions {
  nameServers?: NameServers;
  /** The content of the hosts file. */
  readHosts?: () => string;
  /** getaddrinfo, for names that the name servers do not know: it applies search domains and other sources of names. */
  lookupInSystem?: (name: string) => Promise<LookupAddress[]>;
  nowMs?: () => number;
  /** A name can no longer be resolved, or again (without an error). Called once per change. */
  onChange?: (name: string, error?: Error) => void;
}

/** The arguments of the callback of a lookup. */
type LookupResult = Parameters<Parameters<LookupFunction>[2]>;

interface Entry {
  addresses: LookupAddress[];
  expiresAtMs: number;
  /** The family whose addresses are those of an earlier lookup, because its query has failed since. */
  stale?: { family: number; sinceMs: number } | undefined;
}

interface Found {
  addresses: LookupAddress[];
  ttlMs: number;
  /** The query for it failed, which does not say that the name has no such address. */
  unknownFamily?: number | undefined;
}

/** A resolver has this long per attempt; c-ares makes two. */
const serverTimeouts = { timeout: 1_000, tries: 2 };
const minTtlMs = 1_000;
const maxTtlMs = 3_600_000;
/** The TTL of addresses that have none of their own: from the hosts file, from getaddrinfo. */
const systemTtlMs = 30_000;
/** How long an expired entry may be used, while it is refreshed and if that fails. */
const maxStaleMs = 3_600_000;
/** After a failure the name servers are left alone for this long. */
const retryMs = 1_000;

export class HostNames {
  readonly #options: Required<HostNameOptions>;
  /** Partners have few hosts, so nothing is ever removed. */
  readonly #entries = new Map<string, Entry>();
  readonly #lookups = new Map<string, Promise<Entry>>();
  readonly #failures = new Map<string, { error: Error; retryAtMs: number }>();

  constructor(options: HostNameOptions = {}) {
    this.#options = {
      nameServers: new dns.Resolver(serverTimeouts),
      readHosts: () => readFileSync('/etc/hosts', 'utf8'),
      lookupInSystem: (name) => promisify(systemLookup)(name, { all: true }),
      nowMs: () => performance.now(),
      onChange: () => {},
      ...options,
    };
  }

  /** For `net.connect`. */
  readonly lookup: LookupFunction = (name, { all = false, family }, callback) => {
    const resolved = this.resolve(name.toLowerCase()).then(
      (addresses) => toLookupResult(name, addresses.filter(isOf(family)), all),
      (error: Error): LookupResult => [error, ''],
    );
    void resolved.then((result) => process.nextTick(callback, ...result)); // an exception in the callback must not reject our promise
  };

  /** At least one address. An expired entry is returned at once and refreshed meanwhile. */
  async resolve(name: string): Promise<LookupAddress[]> {
    const entry = this.#entries.get(name);
    const nowMs = this.#options.nowMs();
    if (entry && nowMs < entry.expiresAtMs) return entry.addresses;
    const refreshed = this.#refresh(name, nowMs);
    if (!entry || nowMs >= entry.expiresAtMs + maxStaleMs) return (await refreshed).addresses;
    refreshed.catch(() => {}); // the entry stays in use
    return entry.addresses;
  }

  /** One lookup per name at a time. */
  #refresh(name: string, nowMs: number): Promise<Entry> {
    const failure = this.#failures.get(name);
    if (failure && nowMs < failure.retryAtMs) return Promise.reject(failure.error);
    let lookup = this.#lookups.get(name);
    if (!lookup) this.#lookups.set(name, (lookup = this.#find(name)));
    return lookup;
  }

  async #find(name: string): Promise<Entry> {
    const { nowMs, onChange } = this.#options;
    try {
      const { addresses, ttlMs, unknownFamily } = await this.#query(name);
      const { kept, stale } = this.#keepStale(name, unknownFamily);
      const entry: Entry = {
        addresses: [...addresses, ...kept].toSorted((a, b) => a.family - b.family),
        expiresAtMs: nowMs() + (unknownFamily === undefined ? ttlMs : Math.min(ttlMs, retryMs)),
        stale,
      };
      this.#entries.set(name, entry);
      if (this.#failures.delete(name)) onChange(name);
      return entry;
    } catch (error) {
      if (!this.#failures.has(name)) onChange(name, error as Error);
      this.#failures.set(name, { error: error as Error, retryAtMs: nowMs() + retryMs });
      throw error;
    } finally {
      this.#lookups.delete(name);
    }
  }

  /** The former addresses of the family whose query has failed, as long as an expired entry is used. */
  #keepStale(name: string, family: number | undefined): { kept: LookupAddress[]; stale: Entry['stale'] } {
    const before = this.#entries.get(name);
    if (!before || family === undefined) return { kept: [], stale: undefined };
    const stale = before.stale?.family === family ? before.stale : { family, sinceMs: before.expiresAtMs };
    const isUsable = this.#options.nowMs() < stale.sinceMs + maxStaleMs;
    return { kept: isUsable ? before.addresses.filter((one) => one.family === family) : [], stale };
  }

  /** The hosts file, then the name servers, then, unless these time out, the system's own lookup. */
  async #query(name: string): Promise<Found> {
    const { nameServers, readHosts, lookupInSystem } = this.#options;
    const inHosts = findInHosts(readHosts, name);
    if (inHosts.length > 0) return { addresses: inHosts, ttlMs: systemTtlMs };
    const [v4, v6] = await Promise.allSettled([
      nameServers.resolve4(name, { ttl: true }),
      nameServers.resolve6(name, { ttl: true }),
    ]);
    const records = [
      ...(v4.status === 'fulfilled' ? v4.value.map((one) => ({ ...one, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((one) => ({ ...one, family: 6 })) : []),
    ];
    if (records.length > 0) {
      const ttlMs = Math.min(...records.map(({ ttl }) => ttl)) * 1_000;
      const addresses = records.map(({ address, family }) => ({ address, family }));
      const unknownFamily = isUnknown(v4) ? 4 : isUnknown(v6) ? 6 : undefined;
      return { addresses, ttlMs: Math.min(Math.max(ttlMs, minTtlMs), maxTtlMs), unknownFamily };
    }
    for (const query of [v4, v6]) if (query.status === 'rejected' && hasTimedOut(query.reason)) throw query.reason;
    const addresses = await lookupInSystem(name);
    if (addresses.length === 0) throw notFound(name);
    return { addresses, ttlMs: systemTtlMs };
  }
}

const isOf = (family: LookupOptions['family']) => (one: LookupAddress) =>
  !family || family === one.family || family === `IPv${one.family}`;

function toLookupResult(name: string, addresses: LookupAddress[], all: boolean): LookupResult {
  const [first] = addresses;
  if (!first) return [notFound(name), ''];
  return all ? [null, addresses] : [null, first.address, first.family];
}

/** `localhost` needs no hosts file (RFC 6761). */
function findInHosts(readHosts: () => string, name: string): LookupAddress[] {
  const addresses: LookupAddress[] = [];
  for (const line of tryRead(readHosts).split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (names.some((one) => one.toLowerCase() === name)) {
      addresses.push({ address, family: address.includes(':') ? 6 : 4 });
    }
  }
  if (addresses.length === 0 && name === 'localhost') return [{ address: '127.0.0.1', family: 4 }];
  return addresses.toSorted((a, b) => a.family - b.family);
}

function tryRead(readHosts: () => string): string {
  try {
    return readHosts();
  } catch {
    return ''; // a container may have none
  }
}

const isUnknown = (query: PromiseSettledResult<unknown>): boolean =>
  query.status === 'rejected' && !noSuchAddress.has((query.reason as NodeJS.ErrnoException).code ?? '');

const noSuchAddress = new Set(['ENODATA', 'ENOTFOUND']);

const hasTimedOut = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ETIMEOUT';

const notFound = (name: string): Error => Object.assign(new Error(`no address for ${name}`), { code: 'ENOTFOUND' });
