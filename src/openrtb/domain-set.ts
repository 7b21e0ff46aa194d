/** A set of domains that covers their subdomains, in any case. A leading `www.` and a trailing dot do not count. */
import { randomInt } from 'node:crypto';

/** Maximum length of a domain name. A longer entry of the set is no domain and covers nothing. */
export const maxDomainLength = 253;

/** After this many comparisons, a hash set pays off. Most requests have a few bids and end long before. */
const maxComparisons = 2_000;

export class DomainSet {
  readonly #domains: readonly string[];
  #comparisons = 0;
  #hashed: HashedNames | undefined;

  /** Requests bring their lists as new strings, mostly in the form that is compared: they are copied only if not. */
  constructor(domains: readonly string[]) {
    this.#domains = domains.every(isPlain) ? domains : domains.flatMap(readName);
  }

  covers(domain: string): boolean {
    // The end is enough: it is longer than any entry. The rest is not read, however long it is.
    const name = normalise(domain.length > maxDomainLength ? domain.slice(-(maxDomainLength + 2)) : domain);
    if (this.#hashed) return coversByHash(name, this.#hashed);
    this.#comparisons += this.#domains.length;
    if (this.#comparisons > maxComparisons) this.#hashed = hash(this.#domains);
    for (const entry of this.#domains) if (isWithin(name, entry)) return true;
    return false;
  }
}

/** Whether it can be compared with a set: labels without what a domain never has, as in a URL. The length of one that is too long does not matter. */
export const isDomain = (value: unknown): value is string =>
  typeof value === 'string' && /^[^\s./:?#@[\]\\]+(?:\.[^\s./:?#@[\]\\]+)*\.?$/.test(value);

const dot = 46;

function isWithin(name: string, entry: string): boolean {
  const start = name.length - entry.length;
  if (start === 0) return name === entry;
  return start > 0 && name.charCodeAt(start - 1) === dot && name.endsWith(entry);
}

interface HashedNames {
  names: ReadonlySet<string>;
  hashes: ReadonlySet<number>;
}

/** Nobody can compute in advance which names have the same hash. */
const multiplier = randomInt(2 ** 31) * 2 + 1;
const emptyHash = randomInt(2 ** 32);

/** The hash of a name whose first character is added last, so that it passes the hashes of all domains that it is within. */
function extend(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, multiplier);
  return mixed ^ (mixed >>> 15); // a polynomial alone has collisions that hold for every multiplier
}

function hash(domains: readonly string[]): HashedNames {
  const hashes = new Set<number>();
  for (const domain of domains) {
    let value = emptyHash;
    for (let index = domain.length - 1; index >= 0; index--) value = extend(value, domain.charCodeAt(index));
    hashes.add(value);
  }
  return { names: new Set(domains), hashes };
}

/** Reads the name once, from its end, however many labels it has. */
function coversByHash(name: string, { names, hashes }: HashedNames): boolean {
  let value = emptyHash;
  for (let index = name.length - 1; index >= 0; index--) {
    const code = name.charCodeAt(index);
    if (code === dot && hashes.has(value) && names.has(name.slice(index + 1))) return true;
    value = extend(value, code);
  }
  return hashes.has(value) && names.has(name);
}

/** Whether an entry can be compared as it is. */
const isPlain = (domain: string): boolean =>
  domain !== '' &&
  domain.length <= maxDomainLength &&
  domain.charCodeAt(domain.length - 1) !== dot &&
  !domain.startsWith('www.') &&
  domain.toLowerCase() === domain;

/** Empty for what is not a domain. */
function readName(domain: string): string[] {
  if (domain.length > maxDomainLength + 'www..'.length) return [];
  const name = withoutWww(normalise(domain));
  return name === '' || name.length > maxDomainLength ? [] : [name];
}

function normalise(domain: string): string {
  const name = domain.toLowerCase();
  return name.charCodeAt(name.length - 1) === dot ? name.slice(0, -1) : name;
}

/** `www.com` is a domain of its own: without its first label it would cover every domain in `com`. */
const withoutWww = (name: string): string =>
  name.startsWith('www.') && name.includes('.', 'www.'.length) ? name.slice('www.'.length) : name;
