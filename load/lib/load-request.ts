/** One HTTP request of a load test, with the response that it must get. */
import type { Level } from './bid-request.ts';
import type { Placement } from './placement.ts';

export interface LoadRequest {
  /** The k6 tag by which responses are counted. `unrouted` has a wrong path or method, `flood` exceeds a rate limit. */
  traffic: 'live' | 'test' | 'invalid' | 'unrouted' | 'flood';
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  gzip?: boolean;
  expected: ExpectedAuction | ExpectedError;
}

export interface ExpectedAuction {
  kind: 'auction';
  statuses: readonly number[];
  /** A live request that took this long may get 204 even if a bid was certain: the auction ran out of time. */
  budgetMs: number;
  id: string;
  placements: readonly Placement[];
  /** Set in test mode: the integration level that the report must state. */
  testLevel?: Level;
}

export interface ExpectedError {
  kind: 'error';
  status: number;
  code: string;
  field?: string | undefined;
}

export const jsonHeaders = { 'Content-Type': 'application/json' };
