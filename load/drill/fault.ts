/** What a fault of the drill is, and what it led to. */
import type { Drill } from './drill.ts';

/** `status`: a response other than 200 and 204. `refused`: no connection. `closed`: the connection broke before the response. */
export type Result = 'succeeded' | 'timedOut' | 'refused' | 'closed' | `status ${number}`;

export interface SentRequest {
  /** All times are those of performance.now(). */
  dueAtMs: number;
  doneAtMs: number;
  result: Result;
  /** Whether it had a connection of its own. */
  isFresh: boolean;
}

/** When the fault began, and when its cause was gone. For a kill both are the same. */
export interface FaultTimes {
  beganAtMs: number;
  endedAtMs: number;
}

/** Failed requests that the fault makes unavoidable. */
export interface Allowance {
  why: string;
  max: number;
  covers(request: SentRequest, times: FaultTimes): boolean;
}

/** A metric or log line that showed the fault. */
export interface Sign {
  text: string;
  /** From the beginning of the fault. */
  afterMs: number;
}

export interface Outcome {
  sent: number;
  /** Requests without a 200 or 204 within the client's timeout. */
  failed: number;
  /** How they failed. */
  failures: string;
  /** Those of them that the fault does not make unavoidable. */
  avoidable: number;
  /** The slowest response, from the time its request was due. */
  slowestMs: number;
  /** From when the cause was gone until metrics were as before and no request failed; Infinity if that was not seen. */
  recoveryMs: number;
  metric: Sign | undefined;
  logLine: Sign | undefined;
  /** What else was measured, with its goal. */
  details: string[];
  /** Other goals that were missed. */
  problems: string[];
}

export interface Fault {
  /** In `DRILL`. */
  name: string;
  title: string;
  /** None: no request may fail. */
  allowance?: Allowance;
  maxRecoveryMs: number;
  /** Why no metric shows it, if so. */
  withoutMetric?: string;
  /** Why no log line shows it, if so. */
  withoutLogLine?: string;
  /** Why this machine cannot run it; undefined if it can. */
  unavailable?: () => string | undefined;
  run(drill: Drill): Promise<Outcome>;
}
