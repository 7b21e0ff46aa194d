/** What is sent, and what its answer must be. */
import type { Level } from './bid-request.ts';
import type { Placement } from './placement.ts';

export interface Sending {
  /** By which its answer is counted: bid requests live, in test mode, broken and too many, and what is none at all. */
  traffic: 'live' | 'test' | 'invalid' | 'stray' | 'flood';
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
  /** From then on there may be no bid where one was certain: time was up. */
  budgetMs: number;
  id: string;
  placements: readonly Placement[];
  /** In test mode the level that the report must state. */
  testLevel?: Level;
}

export interface ExpectedError {
  kind: 'error';
  status: number;
  code: string;
  field?: string | undefined;
}

export const json = { 'Content-Type': 'application/json' };
