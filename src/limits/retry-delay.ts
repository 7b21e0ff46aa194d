/** How long to wait before the next attempt to connect to Redis. */

/** A failover ends within seconds: so many attempts follow each other quickly. */
const quickAttempts = 30;
const quickMs = 100;
const slowMs = 250;

/** `attempt` counts from 1. Jitter keeps the workers of a fleet from connecting all at once. */
export const retryDelayMs = (attempt: number): number =>
  Math.min(50 * attempt, attempt > quickAttempts ? slowMs : quickMs) * (1 + Math.random());
