/** What the exchange knows of one request while it is under way, kept on Express's request. */
import type { RateLimitKeys, RateLimitResult } from '../limits/rate-limiter.ts';
import type { BodyReading } from './read-body.ts';

export class RequestContext {
  readonly requestId: string;
  /** On the clock of performance.now(). */
  readonly arrivedAtMs: number;
  readAtMs: number;
  readonly rateLimitKeys: RateLimitKeys = { ip: '', publisher: undefined };
  rateLimit: RateLimitResult | undefined = undefined;
  /** Absent where no body was asked for: another path, another method, a refusal that was known. */
  body: BodyReading | undefined = undefined;

  constructor(requestId: string, arrivedAtMs: number) {
    this.requestId = requestId;
    this.arrivedAtMs = arrivedAtMs;
    this.readAtMs = arrivedAtMs;
  }
}

declare global {
  namespace Express {
    interface Request {
      context: RequestContext;
    }
  }
}
