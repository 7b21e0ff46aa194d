/** An IP address cut to the network it is in, which still tells the region: /24 of IPv4, /56 of IPv6. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const bytesKept = { ipv4: 3, ipv6: 7 };

/** Undefined for what is no address. An IPv4 address mapped into IPv6 counts as IPv4, whose /56 would be empty. */
export function coarseAddress(value: unknown): string | undefined {
  // The library alone would take "7" and "0x7f.1" for addresses too.
  if (typeof value !== 'string' || isIP(value) === 0) return undefined;
  try {
    const address = ipaddr.process(value);
    return ipaddr.fromByteArray(address.toByteArray().fill(0, bytesKept[address.kind()])).toString();
  } catch {
    return undefined;
  }
}
