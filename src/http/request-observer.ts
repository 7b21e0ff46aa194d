/** The port through which the edge tells what it sees of the traffic. */
import type { Request, Response } from 'express';
import type { Outcome } from '../exchange/outcome.ts';
import type { RateLimitResult } from '../limits/rate-limiter.ts';
import type { HttpErrorName } from './http-errors.ts';

export interface Conclusion {
  outcome: Outcome;
  /** When it was known what to answer. */
  concludedAtMs: number;
  /** The exception behind a defect. */
  thrown: unknown;
}

export interface RequestObserver {
  /** A bid request has passed the limits. */
  admitted(request: Request): void;
  /** A request has been answered. */
  concluded(request: Request, response: Response, conclusion: Conclusion): void;
  /** Something that is no request was answered. */
  rejected(requestId: string, error: HttpErrorName, rateLimit: RateLimitResult): void;
}
