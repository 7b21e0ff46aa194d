/** What the exchange knows of a request while it is under way, kept on Express's request. */
import type { Verdict } from '../limits/limiter.ts';
import type { BodyReading } from './read-body.ts';

declare global {
  namespace Express {
    interface Request {
      requestId: string;
      /** Absent where no body was asked for: another path, another method. */
      reading?: BodyReading;
      verdict?: Verdict;
    }
  }
}
