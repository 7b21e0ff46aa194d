/** Finds the narrowest of many address ranges that contains an address: one lookup per prefix length in use. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IPv4 mapped into IPv6 is IPv4, as in the client addresses that rate limits count. */
export interface AddressBits {
  family: 4 | 6;
  bits: bigint;
}

export interface AddressRange extends AddressBits {
  prefixLength: number;
}

/** The bits of an address. */
const sizes = { 4: 32, 6: 128 } as const;
const mappedPrefixLength = 96;

/** Undefined if the text is not an address. */
export function parseAddress(text: string): AddressBits | undefined {
  if (isIP(text) === 0) return undefined;
  const address = ipaddr.process(text.split('%', 1)[0]!); // without the zone of a link-local address
  return { family: address.kind() === 'ipv4' ? 4 : 6, bits: toBits(address) };
}

/** A problem is the end of a sentence that starts with the name of the value. */
export function parseRange(text: string): AddressRange | { problem: string } {
  const [, address, length] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? [];
  const version = isIP(address ?? '') as 0 | 4 | 6;
  if (version === 0) return { problem: 'must be a CIDR range such as 192.0.2.0/24 or 2001:db8::/32' };
  const size = sizes[version];
  const prefixLength = Number(length);
  if (prefixLength > size)
    return { problem: `must have a prefix of at most ${size} bits for IPv${version}; got /${prefixLength}` };
  const bits = toBits(ipaddr.parse(address!));
  const hostBits = BigInt(size - prefixLength);
  if ((bits >> hostBits) << hostBits !== bits)
    return { problem: `must be the first address of its range; only zeros may follow the first ${prefixLength} bits` };
  const { family } = parseAddress(address!)!;
  if (version === 6 && family === 4 && prefixLength >= mappedPrefixLength)
    return { family, bits: bits & 0xffff_ffffn, prefixLength: prefixLength - mappedPrefixLength };
  return { family: version, bits, prefixLength };
}

/** Equal for equal ranges, however they are written. */
export const rangeKey = ({ family, bits, prefixLength }: AddressRange): string => `${family} ${bits} ${prefixLength}`;

interface PrefixTable<Value> {
  prefixLength: number;
  /** By the first bits of the addresses. */
  values: Map<bigint, Value>;
}

export class AddressRanges<Value> {
  /** Longest prefix first. */
  readonly #tables: Record<4 | 6, PrefixTable<Value>[]> = { 4: [], 6: [] };

  /** Every range must be valid. Of equal ranges, the last one counts. */
  constructor(entries: Iterable<readonly [range: string, value: Value]>) {
    for (const [text, value] of entries) {
      const range = parseRange(text);
      if ('problem' in range) throw new Error(`the range ${range.problem}`);
      const { family, bits, prefixLength } = range;
      this.#table(family, prefixLength).values.set(bits >> BigInt(sizes[family] - prefixLength), value);
    }
    for (const tables of Object.values(this.#tables)) tables.sort((a, b) => b.prefixLength - a.prefixLength);
  }

  /** The value of the range with the longest prefix; undefined if no range contains the address. */
  find({ family, bits }: AddressBits): Value | undefined {
    for (const { prefixLength, values } of this.#tables[family]) {
      const value = values.get(bits >> BigInt(sizes[family] - prefixLength));
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #table(family: 4 | 6, prefixLength: number): PrefixTable<Value> {
    const tables = this.#tables[family];
    let table = tables.find((one) => one.prefixLength === prefixLength);
    if (!table) tables.push((table = { prefixLength, values: new Map() }));
    return table;
  }
}

function toBits(address: ipaddr.IPv4 | ipaddr.IPv6): bigint {
  let bits = 0n;
  for (const byte of address.toByteArray()) bits = (bits << 8n) | BigInt(byte);
  return bits;
}
