/** A set of domains covers what a comparison with each of its entries covers, at a bounded cost per domain. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DomainSet } from '../../src/openrtb/domain-set.ts';
import { numRuns } from '../support/num-runs.ts';

const anyLabel = fc.constantFrom('a', 'b', 'shoes', 'www', 'com', 'example');
const anyName = fc.array(anyLabel, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));
/** In any case, with or without a trailing dot. */
const anyDomain = fc
  .tuple(anyName, fc.boolean(), fc.boolean())
  .map(([name, capitals, dot]) => `${capitals ? name.toUpperCase() : name}${dot ? '.' : ''}`);

const plain = (domain: string) => domain.toLowerCase().replace(/\.$/, '');
const withoutWww = (domain: string) => domain.replace(/^www\.(?=.*\.)/, '');

test('a domain is covered if it equals an entry or is a subdomain of one', () => {
  fc.assert(
    fc.property(fc.array(anyDomain, { maxLength: 6 }), anyDomain, (entries, domain) => {
      const name = plain(domain);
      const expected = entries
        .map((entry) => withoutWww(plain(entry)))
        .some((entry) => name === entry || name.endsWith(`.${entry}`));
      expect(new DomainSet(entries).covers(domain)).toBe(expected);
    }),
    { numRuns: numRuns(5_000) },
  );
});

test('the same holds after so many comparisons that the entries are hashed', () => {
  const others = Array.from({ length: 2_001 }, (_, index) => `other-${index}.test`);
  fc.assert(
    fc.property(fc.array(anyDomain, { maxLength: 6 }), fc.array(anyDomain, { maxLength: 20 }), (entries, domains) => {
      const hashed = new DomainSet([...entries, ...others]);
      expect(hashed.covers('nothing.test')).toBe(false);
      for (const domain of domains) expect(hashed.covers(domain)).toBe(new DomainSet(entries).covers(domain));
    }),
    { numRuns: numRuns(200) },
  );
});

describe('the length of a domain name', () => {
  const longest = `${'a.'.repeat(122)}b.example`; // 253 characters

  test.each([
    ['an entry of 253 characters covers itself', longest, longest, true],
    ['an entry of 253 characters covers a subdomain', longest, `sub.${longest}`, true],
    ['an entry of 253 characters with www. and a dot covers itself', `www.${longest}.`, longest, true],
    ['an entry of 254 characters covers nothing', `x${longest}`, `x${longest}`, false],
    ['a long name that ends like an entry is not covered', 'b.example', `${'x'.repeat(300)}b.example`, false],
    ['a name of 1,000 labels is covered by its end', 'b.example', `${'a.'.repeat(1_000)}b.example`, true],
    ['a name cut inside a label is not covered', 'x'.repeat(250), 'x'.repeat(300), false],
  ])('%s', (_name, entry, domain, expected) => {
    expect(new DomainSet([entry]).covers(domain)).toBe(expected);
  });

  test.each(['', '.', 'www.'])('the entry "%s" covers no domain', (entry) => {
    expect(new DomainSet([entry]).covers('shoes.example')).toBe(false);
  });
});
