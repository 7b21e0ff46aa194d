/** A set of domains that covers their subdomains, in any case. A leading `www.` and a trailing dot do not count. */

import { memoize } from '../cache/memoize.ts';

/** Of a domain name. A longer entry of the set is no domain and covers nothing. */
const maxDomainLength = 253;

export class DomainSet {
  readonly #domains = new Set<string>();
  /** The number of labels of the entry that has the most. */
  #maxLabels = 0;

  constructor(domains: readonly string[]) {
    for (const domain of domains) this.#add(domain);
  }

  /** One lookup per label, for as many labels as an entry has. */
  covers(domain: string): boolean {
    // The end is enough: it is longer than any entry. The rest is not read, however long it is.
    const name = normalise(domain.slice(-(maxDomainLength + 2)));
    let dot = name.length;
    for (let labels = 0; labels < this.#maxLabels && dot > 0; labels++) {
      dot = name.lastIndexOf('.', dot - 1);
      if (this.#domains.has(name.slice(dot + 1))) return true;
    }
    return false;
  }

  #add(domain: string): void {
    if (domain.length > maxDomainLength + 'www..'.length) return;
    const name = withoutWww(normalise(domain));
    if (name === '' || name.length > maxDomainLength) return;
    this.#domains.add(name);
    this.#maxLabels = Math.max(this.#maxLabels, name.split('.').length);
  }
}

/** All requests of a publisher have the same lists. To join and look up fifty domains takes a tenth of the time to compile them. */
const separator = '\n';
const compileCached = memoize({ maxEntries: 200, maxKeyLength: 16_384 }, (key) => new DomainSet(key.split(separator)));

/** No domain contains the separator: an entry that does is two, and covers no more than what it names. */
export const domainSetOf = (domains: readonly string[]): DomainSet => compileCached(domains.join(separator));

function normalise(domain: string): string {
  const name = domain.toLowerCase();
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** `www.com` is a domain of its own: without its first label it would cover every domain in `com`. */
const withoutWww = (name: string): string =>
  name.startsWith('www.') && name.includes('.', 'www.'.length) ? name.slice('www.'.length) : name;
