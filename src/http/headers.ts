/** The headers that every answer has, as the list of names and values that node:http writes without looking at it twice. */
import type { RateLimitResult } from '../limits/rate-limiter.ts';

/** A bucket has a token again within one refill interval, which is a second at the most. */
const retryAfterSeconds = 1;

export function commonHeaders(requestId: string, rateLimit: RateLimitResult | undefined): string[] {
  if (!rateLimit) return ['X-Request-Id', requestId];
  const { admitted, limit, remaining, resetAtMs } = rateLimit;
  const headers = [
    'X-Request-Id',
    requestId,
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(resetAtMs / 1000)),
  ];
  if (!admitted) headers.push('Retry-After', String(retryAfterSeconds));
  return headers;
}
