/** What the exchange knows of one request while it is under way, kept on Express's request. */
import type { Ticket } from '../limits/bucket-store.ts';
import type { Claim, Verdict } from '../limits/limiter.ts';
import type { BodyReading } from './read-body.ts';

export class Visit implements Ticket {
  readonly requestId: string;
  /** On the clock of performance.now(). */
  readonly arrivedAtMs: number;
  readAtMs: number;
  readonly claim: Claim = { ip: '', publisher: undefined };
  verdict: Verdict | undefined = undefined;
  /** Absent where no body was asked for: another path, another method, a refusal that was known. */
  reading: BodyReading | undefined = undefined;

  constructor(requestId: string, arrivedAtMs: number) {
    this.requestId = requestId;
    this.arrivedAtMs = arrivedAtMs;
    this.readAtMs = arrivedAtMs;
  }
}

declare global {
  namespace Express {
    interface Request {
      visit: Visit;
    }
  }
}
