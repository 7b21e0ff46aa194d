/** The longest prefix wins: the lookup equals a scan over all ranges. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { AddressRanges, parseAddress, parseRange, rangeKey } from '../../src/publishers/address-ranges.ts';
import { numRuns } from '../support/num-runs.ts';

/** Few values per part, so that ranges overlap and contain the addresses. */
const part = (max: number) => fc.oneof(fc.constantFrom(0, 1, max), fc.nat({ max }));
const ipv4 = fc.tuple(part(255), part(255), part(255), part(255)).map((bytes) => bytes.join('.'));
const ipv6 = fc
  .array(part(0xffff), { minLength: 8, maxLength: 8 })
  .map((parts) => parts.map((one) => one.toString(16)).join(':'))
  .filter((text) => !ipaddr.IPv6.parse(text).isIPv4MappedAddress());
const anyAddress = fc.oneof(ipv4, ipv6);

/** The range of this length that contains the address. */
function rangeOf(address: string, length: number): string {
  const text = `${address}/${length}`;
  return ipaddr.parse(address).kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(text).toString()}/${length}`
    : `${ipaddr.IPv6.networkAddressFromCIDR(text).toString()}/${length}`;
}

const anyRange = fc.oneof(
  fc
    .tuple(ipv4, fc.oneof(fc.constantFrom(0, 8, 32), fc.nat({ max: 32 })))
    .map(([address, length]) => rangeOf(address, length)),
  fc
    .tuple(ipv6, fc.oneof(fc.constantFrom(0, 56, 128), fc.nat({ max: 128 })))
    .map(([address, length]) => rangeOf(address, length)),
);

function scan(ranges: readonly string[], address: string): string | undefined {
  const parsed = ipaddr.parse(address);
  let best: { range: string; length: number } | undefined;
  for (const range of ranges) {
    const [network, length] = ipaddr.parseCIDR(range);
    if (network.kind() !== parsed.kind() || (best && length <= best.length)) continue;
    if ((parsed as ipaddr.IPv4).match(network, length)) best = { range, length };
  }
  return best?.range;
}

test('finds what a scan over all ranges finds', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyRange, { maxLength: 30 }),
      fc.array(anyAddress, { minLength: 1 }),
      (ranges, addresses) => {
        const table = new AddressRanges(ranges.map((range) => [range, range]));
        const starts = ranges.map((range) => range.split('/')[0]!);
        for (const address of [...addresses, ...starts].filter(
          (one) => !ipaddr.parse(one).toString().startsWith('::ffff:'),
        ))
          expect([address, table.find(parseAddress(address)!)]).toEqual([address, scan(ranges, address)]);
      },
    ),
    { numRuns: numRuns(500) },
  );
});

describe('addresses', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8:0::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['fe80::1%en-0.1', 'fe80::1'],
  ])('%s equals %s', (one, other) => {
    expect(parseAddress(one)).toBeDefined();
    expect(parseAddress(one)).toEqual(parseAddress(other));
  });

  test.each(['', '192.0.2', '192.0.2.256', '1', '2001:db8::g', 'unknown'])('%p is none', (text) =>
    expect(parseAddress(text)).toBeUndefined(),
  );
});

describe('ranges', () => {
  test.each([
    ['192.0.2.0/24', '::ffff:192.0.2.0/120'],
    ['0.0.0.0/0', '::ffff:0:0/96'],
    ['2001:db8::/32', '2001:0DB8:0::/32'],
  ])('%s equals %s', (one, other) => {
    const [first, second] = [parseRange(one), parseRange(other)];
    if ('problem' in first || 'problem' in second) throw new Error('a range is invalid');
    expect(rangeKey(first)).toBe(rangeKey(second));
  });

  const cidr = 'must be a CIDR range such as 192.0.2.0/24 or 2001:db8::/32';
  const hostBits = (length: number) =>
    `must be the first address of its range; only zeros may follow the first ${length} bits`;
  test.each([
    ['192.0.2.1', cidr],
    ['192.0.2.0/', cidr],
    ['192.0.2/24', cidr],
    ['192.0.2.0/-1', cidr],
    ['192.0.2.0/24/24', cidr],
    ['fe80::%eth0/64', cidr],
    ['host.example/24', cidr],
    ['192.0.2.0/33', 'must have a prefix of at most 32 bits for IPv4; got /33'],
    ['2001:db8::/129', 'must have a prefix of at most 128 bits for IPv6; got /129'],
    ['192.0.2.1/24', hostBits(24)],
    ['2001:db8::1/32', hostBits(32)],
    ['::ffff:0:0/95', hostBits(95)],
  ])('%s is rejected', (text, problem) => expect(parseRange(text)).toEqual({ problem }));
});
