/** The simulated clients: enough addresses and publishers that none reaches its rate limit unless a scenario floods it. */
import type { Random } from './random.ts';

const addresses = 4_000;
const publishers = 60;
const ipv6Share = 0.2;

/** IPv4 from the benchmark range (RFC 2544), IPv6 from the documentation range (RFC 3849), one /48 per client. */
export function pickAddress(random: Random): string {
  const client = skewed(random, addresses);
  return random.chance(ipv6Share)
    ? `2001:db8:${client.toString(16)}::${random.integer(1, 9)}`
    : `198.18.${client >> 8}.${client & 255}`;
}

export const pickPublisher = (random: Random): string => `pub-${skewed(random, publishers)}`;

/** Squaring makes low numbers more frequent: of 1,000 clients, the first sends 3% of the requests. */
const skewed = (random: Random, count: number): number => Math.floor(count * random.next() ** 2);
