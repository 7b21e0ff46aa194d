/** Who sends: many addresses and publishers, some busier than others, so that no limit is near unless a scenario wants it. */
import type { Draw } from './draw.ts';

const addresses = 4_000;
const publishers = 60;
const ipv6Share = 0.2;

/** In the range that is set aside for benchmarks (RFC 2544), or for documentation (RFC 3849): a network each. */
export function addressOf(draw: Draw): string {
  const place = unevenly(draw, addresses);
  return draw.happens(ipv6Share)
    ? `2001:db8:${place.toString(16)}::${draw.integer(1, 9)}`
    : `198.18.${place >> 8}.${place & 255}`;
}

export const publisherOf = (draw: Draw): string => `pub-${unevenly(draw, publishers)}`;

/** By the square of a share the first of a thousand comes up three times in a hundred. */
const unevenly = (draw: Draw, count: number): number => Math.floor(count * draw.share() ** 2);
