/** Reduces the precision of IP addresses, coordinates and URLs so that they do not identify a person. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** /24 of an IPv4 address, /56 of an IPv6 address. A 6to4 address begins with two bytes and an IPv4 address. */
function keptBytes(address: ipaddr.IPv4 | ipaddr.IPv6): number {
  if (address.kind() === 'ipv4') return 3;
  return address.range() === '6to4' ? 2 + 3 : 7;
}

/**
 * Truncates an IP address to its network; returns undefined for anything else. An IPv4-mapped IPv6 address is truncated
 * as IPv4, because its first 56 bits carry no information.
 */
export function truncateIp(value: unknown): string | undefined {
  // ipaddr.js alone would also accept "7" and "0x7f.1".
  if (typeof value !== 'string' || isIP(value) === 0) return undefined;
  try {
    const address = ipaddr.process(value);
    return ipaddr.fromByteArray(address.toByteArray().fill(0, keptBytes(address))).toString();
  } catch {
    return undefined;
  }
}

/** Rounds to two decimals, about one kilometre. Returns undefined for a value that cannot be rounded, such as a string. */
export const roundDegrees = (value: unknown): number | undefined =>
  typeof value === 'number' ? Number(value.toFixed(2)) : undefined;

/** The URL without its query string and fragment. Returns undefined for anything but a string. */
export function cutQuery(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const end = value.search(/[?#]/);
  return end === -1 ? value : value.slice(0, end);
}
