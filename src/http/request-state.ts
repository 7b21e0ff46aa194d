/** What the exchange knows of a request while it is under way, kept on Express's request. */
import type { Ticket } from '../limits/bucket-store.ts';
import type { BodyReading } from './read-body.ts';

declare global {
  namespace Express {
    interface Request {
      requestId: string;
      /** On the clock of performance.now(). */
      arrivedAtMs: number;
      readAtMs: number;
      ticket: Ticket;
      /** Absent where no body was asked for: another path, another method, a refusal that was known. */
      reading?: BodyReading;
    }
  }
}
